/** The configuration that a repository starts with: everything it can say, all of it switched off. */
export const STARTER = `# How Waybill works in this repository. Everything here is optional; remove the first # of a line to use it.
# The whole of what can be said: waybill schema config

# Files to pass over while walking folders, written as in .gitignore.
#ignore:
#  - vendor/

# Where the agents are described, if not in the nearest prompt-manifest.json and prompt-lock.json.
#agents:
#  manifest: prompts/prompt-manifest.json
#  lock: prompts/prompt-lock.json

# Rules that weigh something else here: off, info, warning or error, each with the reason.
# Rules about secrets, hashes, replay and signatures cannot be changed.
#rules:
#  handoff-document/three-to-five-next-steps:
#    severity: info
#    reason: our handoffs list every open step

# Where the ledger is kept: file (in .waybill/ledger) or postgres.
#ledger: file

# Agents whose handoffs are taken without a signature.
#unsigned:
#  - domain-01-research

# Who may approve, reject, reconcile and erase: proved asks for a signature by a key of the person, claimed for a name.
#people: proved

# The folder with policies of your own (*.cedar); they can only forbid more.
#policies: policies

# Which witnesses cosign the checkpoints of the log, and how many have to (C2SP tlog-policy).
#witnesses: witness-policy.txt

# The keys that count, and whose they are; a key that is not listed vouches for nothing. waybill init and waybill key
# write this list; commit it. People are added by hand, with an SSH key or a P-256 key, as an entry like
# { person: ada, key: ssh-ed25519 AAAA…, from: 2026-11-21T00:00:00Z }
`
