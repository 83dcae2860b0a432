/** The initial configuration: every option, commented out. */
export const STARTER = `# How Waybill works in this repository. Everything here is optional; remove the first # of a line to use it.
# All options: waybill schema config

# Files to skip in folders, with .gitignore patterns.
#ignore:
#  - vendor/

# The ages from which a handoff is slightly stale, stale and very stale; resuming from a stale one needs a person.
#staleness: { slightly: 24h, stale: 72h, very: 7d }

# The agents, if not in the nearest prompt-manifest.json and prompt-lock.json.
#agents:
#  manifest: prompts/prompt-manifest.json
#  lock: prompts/prompt-lock.json

# Severities of rules: off, info, warning or error, each with a reason.
# Rules about secrets, hashes, replay and signatures cannot be changed.
#rules:
#  handoff-document/three-to-five-next-steps:
#    severity: info
#    reason: our handoffs list every open step

# Where the log is kept: file (in .waybill/ledger) or postgres.
#ledger: file

# Agents whose handoffs need no signature.
#unsigned:
#  - domain-01-research

# How people approve, reject, reconcile and erase: proved needs a signature by their key, claimed only a name.
#people: proved

# The folder of your own policies (*.cedar); they can only forbid more.
#policies: policies

# The witnesses that cosign checkpoints of the log, and how many must (C2SP tlog-policy).
#witnesses: witness-policy.txt

# The trusted keys and their holders; waybill init and waybill key write this list; commit it. A key that is not listed
# is not trusted. Add people by hand, with an SSH key or a P-256 key, as an entry like
# { person: ada, key: ssh-ed25519 AAAA…, from: 2026-11-21T00:00:00Z }
`
