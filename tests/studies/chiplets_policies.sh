# shellcheck shell=bash disable=SC2034
# chiplets_policies.sh - the policies of the study of coherence between chiplets (Dalmia, 2023, chapter 5) as settings
# of a machine. Sourced by the scripts that simulate them.
chiplet_policies='boundary cpcoh free hmg hashed-hmg'
# chiplet_policy NAME: free: what the command processor is told and says takes no time; hmg: with homes by first touch,
# as the others have them; hashed-hmg: by hash, as hers.
chiplet_policy() {
    case $1 in
        boundary | cpcoh) echo "package.coherence=$1" ;;
        free) echo 'package.coherence=cpcoh package.latency=0' ;;
        hmg) echo 'package.coherence=hmg l2.write=through package.remote_read=1 package.remote_store=back' ;;
        hashed-hmg) echo "$(chiplet_policy hmg) package.home=hashed" ;;
    esac
}
export -f chiplet_policy
