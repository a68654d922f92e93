# Two hosts on one machine: network namespaces "left" and "right", each with its own address and host name, joined by one
# link. Sourced after checks.bash; make_hosts makes them, remove_hosts ends what runs in them and removes them.
# The addresses are those reserved for documentation (RFC 5737); nothing leaves the two namespaces.
left=dfsweep-$$-left right=dfsweep-$$-right
left_address=192.0.2.1 right_address=192.0.2.2
link_relay=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/link_relay.py
relay=

# Why there can be no hosts here; empty if there can.
why_no_hosts() {
  local program
  for program in ip unshare mpirun; do
    command -v $program > /dev/null || { echo "$program is missing"; return; }
  done
  mpirun --version 2>/dev/null | grep -q "Open MPI" || { echo "mpirun is not that of Open MPI"; return; }
  if ! ip netns add "$left" 2> /dev/null; then echo "no right to make network namespaces"; return; fi
  ip link add name left netns "$left" type veth peer name other netns "$left" 2> /dev/null ||
    echo "the kernel has no virtual links (veth)"
  ip netns del "$left"
}

# make_hosts [DELAY_MS LOSS_PERCENT]: joined by a plain link, or by one that delays and loses frames.
make_hosts() {
  ip netns add "$left" && ip netns add "$right" || fail "cannot make network namespaces"
  if [ $# -eq 0 ]; then
    ip link add name link netns "$left" type veth peer name link netns "$right" || fail "cannot make a link"
  elif ip link add name link netns "$left" type veth peer name link netns "$right" &&
    ip netns exec "$left" tc qdisc add dev link root netem delay "$1ms" loss "$2%" 2> /dev/null; then
    ip netns exec "$right" tc qdisc add dev link root netem delay "$1ms" loss "$2%"
    how="tc netem"
  else  # the kernel has no netem: a process passes frames between two taps
    ip -n "$left" link del dev link 2> /dev/null
    python3 "$link_relay" "$left" "$right" "$1" "$2" > relay.txt 2>&1 &
    relay=$!
    within 10 grep -qs ready relay.txt || { cat relay.txt; fail "no link between the hosts"; }
    how="a process between two taps"
  fi
  local host
  for host in left right; do
    local address=${host}_address
    ip -n "${!host}" addr add "${!address}/30" dev link && ip -n "${!host}" link set dev link up &&
      ip -n "${!host}" link set lo up || fail "cannot configure the link"
  done
  within 20 is_linked || fail "no packet gets across the link"
  # How mpirun starts its daemon on a host: the first argument is the address, the rest a command of a shell.
  cat > start_on_host.sh <<AGENT
#!/bin/bash
address=\$1 host=right space=$right
shift
[ "\$address" != $left_address ] || { host=left space=$left; }
exec ip netns exec \$space unshare --uts sh -c "hostname \$host; exec sh -c '\$*'"
AGENT
  chmod +x start_on_host.sh
}

cut_link() { ip -n "$left" link set dev link down; }
heal_link() { ip -n "$left" link set dev link up && within 20 is_linked || fail "the link does not come back"; }
# Whether a packet gets across: a port without a listener refuses at once.
is_linked() {
  ip netns exec "$left" timeout 1 bash -c "exec 3<> /dev/tcp/$right_address/9" 2>&1 | grep -q refused
}

# processes_of HOST: what runs there.
processes_of() { ip netns pids "$1" 2> /dev/null; }

# on_both RANKS_ON_EACH COMMAND...: one run across both hosts, started on the left one.
# Daemons notice a dead connection after a second of silence and three more of probes.
on_both() {
  local each=$1
  shift
  ip netns exec "$left" unshare --uts sh -c 'hostname left; exec "$@"' sh \
    timeout --signal KILL 120 mpirun --host "$left_address:$each,$right_address:$each" -n $((2 * each)) \
    --mca plm_rsh_agent "$PWD/start_on_host.sh" --mca plm_rsh_no_tree_spawn 1 \
    --mca btl self,vader,tcp --mca btl_tcp_if_include link --mca oob_tcp_if_include link \
    --mca oob_tcp_keepalive_time 1 --mca oob_tcp_keepalive_intvl 1 --mca oob_tcp_keepalive_probes 3 \
    --mca orte_keep_fqdn_hostnames 1 "$@"
}

end_hosts() {
  local host pids
  for host in "$left" "$right"; do
    pids=$(processes_of "$host")
    [ -z "$pids" ] || kill -KILL $pids 2> /dev/null
  done
  [ -z "$relay" ] || kill "$relay" 2> /dev/null
  relay=
}

remove_hosts() {
  end_hosts
  for host in "$left" "$right"; do ip netns del "$host" 2> /dev/null; done
  return 0
}
