/**
 * What models read of inputs in the list of tools, which is part of every session; the help of the command line says
 * more. An input without a row has the start of its description; an empty text means that its name says enough, and
 * null that only its actions name it.
 */
const INPUTS: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  check: {
    paths: 'Files and folders (default: all)',
    contract: 'Instead of detecting it',
    changed: 'Only files that differ from this commit',
    staged: 'Only staged files',
    stdinPath: 'Name of content',
    previous: 'Previous session state',
    session: '',
    structureOnly: 'Skip all rules',
    content: 'A document to check',
  },
  contract: {
    code: 'Code, contract or family of codes (default: the families)',
    name: 'Contract, or config for waybill.yaml (default: list all)',
    paths: 'Files or folders',
    dryRun: null,
    to: 'Version (default: the newest)',
    write: 'Replace the files',
    output: null,
    adr: null,
    agent: null,
    expect: null,
  },
  show: { path: 'Document; path#L12 for a code block' },
  handoff: {
    file: '',
    state: 'What is done, and whether it works',
    next: '',
    decision: 'Decisions with reasons; note: true',
    rule: 'Rules that hold until a person ends them; note: true',
    fact: 'Facts to know; note: true',
    open: 'Blockers, open questions; note: true',
    verify: 'Commands that check it',
    evidence: 'Files',
    from: 'File with the content',
    agent: '',
    session: null,
    adr: '',
    branch: null,
    slug: null,
    continues: 'Predecessor (default: the newest), or none',
    carry: 'Answers to open items: 1=done:why, or kept, superseded',
    supersede: 'Statements that no longer hold: id=why',
    by: 'Person who ends a rule',
    draft: 'Write despite errors',
    dryRun: 'Only list what would be carried',
    content: 'The text: Markdown, JSON or YAML',
    text: 'One line; with done the reason',
    scope: "Of a rule, such as 'git push*'",
    list: 'List what waits',
    rejected: null,
    done: 'Tick off: id, number or text',
    drop: 'Remove a note by id',
    all: null,
    path: 'Document to accept or receive; draft to send',
    onMismatch: null,
    output: null,
    to: 'Folder for the results',
    previous: null,
    envelope: null,
    as: 'Receiving agent',
  },
  hook: { agent: '', event: '', tool: '', toolInput: '', session: '', folder: '' },
  resume: {
    path: 'Default: the newest valid one',
    as: 'Who resumes',
    session: '',
    budget: 'Tokens of the brief (4000)',
  },
  brief: {
    paths: 'Documents, folders (default: the newest handoff)',
    only: 'Without the documents before it',
    lineage: 'With them (default)',
    budget: 'Tokens (4000)',
  },
  new: {
    contract: 'Such as handoff-document',
    file: '',
    from: 'File with the content',
    agent: '',
    session: '',
    adr: '',
    branch: '',
    slug: '',
    continues: 'Predecessor, or none',
    carry: '1=done:why, or kept, superseded',
    supersede: 'id=why',
    by: 'Person who ends a rule',
    draft: 'Write despite errors',
    to: 'Agent that receives it',
    dryRun: '',
    content: 'The text: Markdown for a handoff, JSON or YAML',
  },
  chain: {
    path: 'Document (default: all chains)',
    as: null,
    file: 'The text to measure',
    against: 'File with the statements and their rounds',
    round: null,
    budget: null,
    id: 'Id, digest or agent',
    limit: null,
  },
  state: {
    ticket: null,
    confidence: null,
    file: '',
    min: null,
    full: null,
    mayWriteCode: 'Only whether code may be written',
    to: 'Phase',
    next: 'New value of Next',
    mode: null,
    blocked: 'The input that is missing',
    previous: null,
    expect: null,
    gate: '5, 5.3, 5.4, 5.5, 5.6 or 6',
    state: 'pending, approved, rejected …',
    retract: 'It was a mistake: why',
    from: null,
    content: 'Parts of the state, JSON or YAML',
    artifact: 'Name=present, missing or not-applicable',
    mission: null,
    old: null,
    new: null,
    scope: null,
    cache: null,
    risk: null,
  },
  work: {
    file: 'Default: the nearest ORCHESTRATION.yaml',
    as: '',
    target: 'pipeline/phase/agent or a part of it',
    status: '',
    expect: null,
    mission: 'Id',
    tenant: null,
    state: null,
    limit: null,
    artifact: 'Id, digest or schema',
    withoutLog: null,
  },
  agents: {
    manifest: null,
    lock: null,
    folder: null,
    decision: 'Index, digest or id of a handoff or proposal',
    artifact: null,
  },
  log: {
    about: 'Index, id, agent or digest',
    limit: null,
    kind: null,
    agent: null,
    since: null,
    ledger: null,
    key: null,
    policy: null,
    quick: null,
    senders: null,
    receipt: null,
    entry: 'Index, digest or id',
    from: 'prove: earlier size; export: first index',
    out: null,
  },
}

/** What models read of tools that have one operation. */
const TOOLS: Readonly<Record<string, string>> = {
  hook: 'For hooks of coding agents, not for models: judge a tool call.',
  check:
    'Check documents against their contracts: report every violation in files, folders or content. Writes nothing.',
  show: 'Show one document in readable form, also an invalid one; secrets are masked.',
  resume:
    'Resume work from a handoff document: check it, its chain, evidence and branch, and answer the brief, what is in ' +
    'force and what is open. A stale document must be verified by a person first.',
  brief:
    'What the next agent must read, within a budget of tokens: rules in force first, then decisions, next steps, open ' +
    'items, state and facts. Quoted lines are claims of documents.',
  new:
    'Write a new document and fill in what is known. First call it with dryRun: it lists what is carried from the last ' +
    'handoff, with the numbers and ids that carry and supersede answer. Items without an answer stay open; rules stay ' +
    'in force. A document with errors is not written; nothing is overwritten.',
}

/** What models read of actions whose summary is long. */
const ACTIONS: Readonly<Record<string, string>> = {
  'state fast-path': 'Whether discovery may be shortened',
  'state signature': 'Compute the repository signature',
  'state diff': 'Compare two states',
  'state profile': 'Detect the profile of the repository',
  'pipeline next': 'List the agents that may start now',
  'mission replay': 'Rebuild a mission from its artifacts',
  'log verify': 'Verify the log',
}

/** What an action does, in the list of tools. */
export function shortSummary({ name, summary }: { name: string; summary: string }): string {
  return ACTIONS[name] ?? summary
}

/** The text of an input in the list of tools; null where it has no place of its own. */
export function shortText(tool: string, input: string, description: string): string | null {
  const text = input === 'cursor' ? '' : INPUTS[tool]?.[input]
  return text === undefined ? startOf(description) : text
}

/** The description of a tool with one operation. */
export function shortDescription(tool: string, summary: string, description: string): string {
  return TOOLS[tool] ?? `${summary}. ${description}`
}

function startOf(description: string): string {
  return (description.split(/; |\. |: (?=[a-z])/)[0] ?? description).replace(/\.$/, '')
}
