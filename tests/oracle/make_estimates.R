# Errors of members left out, and standard errors, by R's lm: the expected values of tests/unit/test_estimator.c.
# usage: Rscript make_estimates.R
x <- c(3, 7, 1, 12, 8, 5, 20, 11)
y <- c(5, 9.5, 2, 18, 13, 6, 27, 19)
w <- c(1, 2, 3, 1, 0.5, 2, 1, 1.5)
X <- 9
ridge <- 0.1
out <- function(name, f) cat(sprintf("%s %.15g\n", name, sqrt(sum(w * sapply(seq_along(x), function(i) f(i) - y[i])^2) / sum(w))))
at <- function(m, i) predict(m, data.frame(x = x[i]))
out("plain", function(i) coef(lm(y ~ 1, weights = w, subset = -i)))
out("difference", function(i) coef(lm(y - x ~ 1, weights = w, subset = -i)) + x[i])
# the ratio of weighted means is the line through the origin with weights w / x
out("ratio", function(i) at(lm(y ~ 0 + x, weights = w / x, subset = -i), i))
out("regression", function(i) {
    m <- lm(y ~ x, weights = w, subset = -i)
    weighted.mean(y[-i], w[-i]) + coef(m)[2] / (1 + ridge) * (x[i] - weighted.mean(x[-i], w[-i]))
})
for (confidence in c(0.9, 0.95)) for (freedom in c(2, 10)) cat(sprintf("t %g %d %.15g\n", confidence, freedom, qt((1 + confidence) / 2, freedom)))
