import Type, { type Static } from 'typebox'
import { missionArtifact, RoleType, WordList } from '../mission.ts'
import { Words } from '../shapes.ts'

const Constraints = Type.Object(
  {
    must_cite_sources: Type.Boolean({
      description: 'Whether the result must name what it rests on.',
    }),
    must_not_writeback_directly: Type.Literal(true, {
      description: 'Always true: changes to the root are proposed, never made.',
    }),
  },
  { description: 'What the worker must and must not do.' },
)

const schema = Type.Object(
  {
    ...missionArtifact('prompt_package'),
    task_id: Words('The task that the prompts are for.'),
    package_id: Words('What the package is called.'),
    role_type: RoleType('Which part the agent plays that gets the prompts.'),
    template_id: Words('The template that the prompts were made from.'),
    template_version: Words('The version of the template.'),
    examples_used: WordList('Examples that went into the prompts.'),
    system_prompt: Words('What the agent is told about itself.'),
    task_prompt: Words('What the agent is told to do.'),
    constraints: Constraints,
    tool_scope: WordList('Tools that the agent is given.'),
    model_route: Words('Which sort of model runs it.'),
  },
  { title: 'Prompt package', description: 'Exactly what one worker is told for one task.' },
)

/** Exactly what one worker is told for one task. */
export type PromptPackage = Static<typeof schema>
export default schema
