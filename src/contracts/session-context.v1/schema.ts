import Type, { type Static } from 'typebox'
import { Named, TextOrNull, Time, Words } from '../shapes.ts'

const Agent = Type.Object(
  {
    id: Type.String({
      pattern: '^(ps|nse|orch)-[a-z]+(-[a-z]+)*(?![\\s\\S])',
      description: "The agent's family and role.",
      examples: ['ps-researcher'],
    }),
    family: Type.Enum(['ps', 'nse', 'orch'], { description: 'The family that the agent is of.' }),
    cognitive_mode: Type.Optional(
      Type.Enum(['convergent', 'divergent', 'mixed'], { description: 'How the agent thinks.' }),
    ),
    model: Type.Optional(
      Type.Enum(['opus', 'sonnet', 'haiku', 'auto'], {
        description: 'The model the agent runs on.',
      }),
    ),
  },
  { $id: 'agent', description: "An object with the agent's `id` and `family`." },
)

const LEVELS = ['low', 'medium', 'high', 'critical'] as const

const Finding = Type.Object(
  {
    id: Type.String({
      pattern: '^F-[0-9]{3}(?![\\s\\S])',
      description: 'What the finding is called.',
      examples: ['F-001'],
    }),
    summary: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'The finding in at most 500 characters.',
    }),
    category: Type.Optional(
      Type.Enum(['insight', 'risk', 'requirement', 'decision', 'gap', 'recommendation'], {
        description: 'What sort of finding it is.',
      }),
    ),
    severity: Type.Optional(Type.Enum([...LEVELS], { description: 'How much it matters.' })),
    evidence: Type.Optional(
      Type.Array(Type.String({ description: 'One piece of evidence, a text.' }), {
        description: 'What supports the finding.',
      }),
    ),
    traceability: Type.Optional(
      Type.Array(
        Type.String({
          pattern: '^(REQ|RISK|TSR|ICD)-[A-Z0-9-]+(?![\\s\\S])',
          description: 'The id of one requirement, risk, trade study or interface.',
          examples: ['REQ-SYS-042'],
        }),
        { description: 'Requirements, risks, trade studies and interfaces that it traces to.' },
      ),
    ),
  },
  { description: 'An object with `id` and `summary`.' },
)

const Question = Type.Object(
  {
    id: Type.String({
      pattern: '^Q-[0-9]{3}(?![\\s\\S])',
      description: 'What the question is called.',
      examples: ['Q-001'],
    }),
    question: Words('The question itself.'),
    priority: Type.Optional(
      Type.Enum([...LEVELS], { description: 'How much the answer matters.' }),
    ),
    suggested_approach: Type.Optional(
      Type.String({ description: 'How the answer could be found.' }),
    ),
  },
  { description: 'An object with `id` and `question`.' },
)

const Blocker = Type.Object(
  {
    id: Type.String({
      pattern: '^BLK-[0-9]{3}(?![\\s\\S])',
      description: 'What the blocker is called.',
      examples: ['BLK-001'],
    }),
    description: Words('What is blocked, and by what.'),
    severity: Type.Enum([...LEVELS], { description: 'How much it blocks.' }),
    workaround: Type.Optional(Type.String({ description: 'A way around it.' })),
    blocked_actions: Type.Optional(
      Type.Array(Type.String({ description: 'One action, a text.' }), {
        description: 'Actions that have to wait.',
      }),
    ),
  },
  { description: 'An object with `id`, `description` and `severity`.' },
)

const Confidence = Type.Object(
  {
    overall: Type.Number({ minimum: 0, maximum: 1, description: 'The score from 0 to 1.' }),
    reasoning: Type.Optional(Type.String({ description: 'Why the score is what it is.' })),
    breakdown: Type.Optional(
      Named(
        Type.Number({
          minimum: 0,
          maximum: 1,
          description: 'The score of one aspect, from 0 to 1.',
        }),
        'Scores of single aspects, by their names.',
      ),
    ),
  },
  { description: 'How sure the source agent is: an object with `overall`.' },
)

const Artifact = Type.Object(
  {
    path: Words('Where the file is, from the root of the repository.'),
    type: Type.Enum(
      [
        'requirement',
        'risk',
        'architecture',
        'verification',
        'review',
        'integration',
        'configuration',
        'report',
        'analysis',
        'synthesis',
      ],
      { description: 'What the file holds.' },
    ),
    format: Type.Optional(
      Type.Enum(['markdown', 'yaml', 'json', 'text'], { description: 'How the file is written.' }),
    ),
    size_bytes: Type.Optional(Type.Integer({ minimum: 0, description: 'How large the file is.' })),
  },
  { description: 'An object with `path` and `type`.' },
)

const Payload = Type.Object(
  {
    key_findings: Type.Array(Finding, { description: 'The main insights of the source agent.' }),
    open_questions: Type.Optional(
      Type.Array(Question, { description: 'What is still unresolved.' }),
    ),
    blockers: Type.Optional(Type.Array(Blocker, { description: 'What blocks completion.' })),
    confidence: Confidence,
    artifacts: Type.Optional(Type.Array(Artifact, { description: 'Files that came out.' })),
    context: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'What the target agent must know of the domain, under keys of your own.',
      }),
    ),
    recommendations: Type.Optional(
      Type.Array(Type.String({ description: 'One action, a text.' }), {
        description: 'Actions that the source agent suggests.',
      }),
    ),
  },
  { description: 'What is handed over: `key_findings` and `confidence` at least.' },
)

const Trace = Type.Object(
  {
    trace_id: Type.Optional(Type.String({ description: 'The trace that the handoff is part of.' })),
    span_id: Type.Optional(Type.String({ description: 'This handoff within the trace.' })),
    parent_span_id: Type.Optional(TextOrNull('The handoff that led to this one, if any.')),
    // That it is at most 1 is a rule, which can say what the depths mean.
    depth: Type.Optional(
      Type.Integer({ minimum: 0, description: 'How deep workers are nested: 0 or 1.' }),
    ),
  },
  { description: 'Where the handoff stands in a chain of them.' },
)

const schema = Type.Object(
  {
    schema_version: Type.String({
      pattern: '^[0-9]+[.][0-9]+[.][0-9]+(?![\\s\\S])',
      description: 'Version of the format, three numbers.',
      examples: ['1.0.0'],
    }),
    session_id: Words('The session that wrote it.'),
    source_agent: Agent,
    target_agent: Agent,
    timestamp: Time('When it was written, with its zone.'),
    payload: Payload,
    workflow_id: Type.Optional(Type.String({ description: 'The workflow that it is part of.' })),
    trace: Type.Optional(Trace),
  },
  { title: 'Session context', description: 'What one agent hands to the next within a session.' },
)

/** What one agent hands to the next within a session. */
export type SessionContext = Static<typeof schema>
export default schema
