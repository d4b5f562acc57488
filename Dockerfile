# warpscape in a container:
#   docker build -t warpscape .
#   docker run --rm -u "$(id -u)" -v "$PWD:/work" warpscape suite run --scale tiny
# A CUDA program of one's own runs there as well when its libraries do: docker run ... warpscape run ./app
FROM debian:12-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends \
    gcc gfortran libc6-dev libgsl-dev libiberty-dev liblapacke-dev liblz4-dev liblzma-dev libopenblas-serial-dev libsqlite3-dev \
    libxxhash-dev libzstd-dev make uthash-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY Makefile README.md CHANGELOG.md CONTRIBUTING.md COPYING ./
COPY base base
COPY collect collect
COPY metrics metrics
COPY pca pca
COPY cluster cluster
COPY model model
COPY plots plots
COPY record record
COPY library library
COPY cli cli
COPY data data
COPY docs docs
COPY man man
RUN make -j"$(nproc)" PREFIX=/usr/local all && make PREFIX=/usr/local DESTDIR=/stage install

FROM debian:12-slim
RUN apt-get update && apt-get install -y --no-install-recommends \
    gnuplot-nox libgfortran5 liblz4-1 liblzma5 libsqlite3-0 libxxhash0 libzstd1 sqlite3 \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /stage/ /
RUN ldconfig
WORKDIR /work
ENTRYPOINT ["warpscape"]
CMD ["help"]
