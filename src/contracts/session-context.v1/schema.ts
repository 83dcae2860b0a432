import Type, { type Static } from 'typebox'
import { Named, TextOrNull, Time, Words } from '../shapes.ts'

const Agent = Type.Object(
  {
    id: Type.String({
      pattern: '^(ps|nse|orch)-[a-z]+(-[a-z]+)*(?![\\s\\S])',
      description: "The agent's family and role.",
      examples: ['ps-researcher'],
    }),
    family: Type.Enum(['ps', 'nse', 'orch'], { description: 'The family of the agent.' }),
    cognitive_mode: Type.Optional(
      Type.Enum(['convergent', 'divergent', 'mixed'], {
        description: 'The cognitive mode of the agent.',
      }),
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
      description: 'The id of the finding.',
      examples: ['F-001'],
    }),
    summary: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'The finding in at most 500 characters.',
    }),
    category: Type.Optional(
      Type.Enum(['insight', 'risk', 'requirement', 'decision', 'gap', 'recommendation'], {
        description: 'The type of the finding.',
      }),
    ),
    severity: Type.Optional(
      Type.Enum([...LEVELS], { description: 'The severity of the finding.' }),
    ),
    evidence: Type.Optional(
      Type.Array(Type.String({ description: 'One piece of evidence.' }), {
        description: 'Evidence for the finding.',
      }),
    ),
    traceability: Type.Optional(
      Type.Array(
        Type.String({
          pattern: '^(REQ|RISK|TSR|ICD)-[A-Z0-9-]+(?![\\s\\S])',
          description: 'The id of a requirement, risk, trade study or interface.',
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
      description: 'The id of the question.',
      examples: ['Q-001'],
    }),
    question: Words('The question.'),
    priority: Type.Optional(
      Type.Enum([...LEVELS], { description: 'The importance of the answer.' }),
    ),
    suggested_approach: Type.Optional(Type.String({ description: 'How to find the answer.' })),
  },
  { description: 'An object with `id` and `question`.' },
)

const Blocker = Type.Object(
  {
    id: Type.String({
      pattern: '^BLK-[0-9]{3}(?![\\s\\S])',
      description: 'The id of the blocker.',
      examples: ['BLK-001'],
    }),
    description: Words('What is blocked, and why.'),
    severity: Type.Enum([...LEVELS], { description: 'The severity of the blocker.' }),
    workaround: Type.Optional(Type.String({ description: 'A workaround.' })),
    blocked_actions: Type.Optional(
      Type.Array(Type.String({ description: 'One action.' }), {
        description: 'Actions that are blocked.',
      }),
    ),
  },
  { description: 'An object with `id`, `description` and `severity`.' },
)

const Confidence = Type.Object(
  {
    overall: Type.Number({ minimum: 0, maximum: 1, description: 'The score from 0 to 1.' }),
    reasoning: Type.Optional(Type.String({ description: 'The reason for the score.' })),
    breakdown: Type.Optional(
      Named(
        Type.Number({
          minimum: 0,
          maximum: 1,
          description: 'The score of an aspect, from 0 to 1.',
        }),
        'Scores of aspects, by name.',
      ),
    ),
  },
  { description: 'Confidence of the source agent: an object with `overall`.' },
)

const Artifact = Type.Object(
  {
    path: Words('The path of the file, relative to the root of the repository.'),
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
      { description: 'The type of content in the file.' },
    ),
    format: Type.Optional(
      Type.Enum(['markdown', 'yaml', 'json', 'text'], { description: 'The format of the file.' }),
    ),
    size_bytes: Type.Optional(
      Type.Integer({ minimum: 0, description: 'The size of the file in bytes.' }),
    ),
  },
  { description: 'An object with `path` and `type`.' },
)

const Payload = Type.Object(
  {
    key_findings: Type.Array(Finding, { description: 'The main insights of the source agent.' }),
    open_questions: Type.Optional(Type.Array(Question, { description: 'Open questions.' })),
    blockers: Type.Optional(Type.Array(Blocker, { description: 'What blocks completion.' })),
    confidence: Confidence,
    artifacts: Type.Optional(Type.Array(Artifact, { description: 'Files that were produced.' })),
    context: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Domain context for the target agent, under keys of your choice.',
      }),
    ),
    recommendations: Type.Optional(
      Type.Array(Type.String({ description: 'One action.' }), {
        description: 'Actions that the source agent suggests.',
      }),
    ),
  },
  { description: 'The content: at least `key_findings` and `confidence`.' },
)

const Trace = Type.Object(
  {
    trace_id: Type.Optional(Type.String({ description: 'The id of the trace.' })),
    span_id: Type.Optional(
      Type.String({ description: 'The id of this handoff within the trace.' }),
    ),
    parent_span_id: Type.Optional(
      TextOrNull('The id of the handoff that led to this one, if any.'),
    ),
    // The maximum of 1 is a rule, whose message explains the depths.
    depth: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Nesting depth of workers: 0 or 1.' }),
    ),
  },
  { description: 'The position of the handoff in a chain.' },
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
    workflow_id: Type.Optional(Type.String({ description: 'The workflow that it belongs to.' })),
    trace: Type.Optional(Trace),
  },
  {
    title: 'Session context',
    description: 'What an agent hands over to the next within a session.',
  },
)

export type SessionContext = Static<typeof schema>
export default schema
