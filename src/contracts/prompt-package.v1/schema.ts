import Type, { type Static } from 'typebox'
import { missionArtifact, RoleType, WordList } from '../mission.ts'
import { Words } from '../shapes.ts'

const Constraints = Type.Object(
  {
    must_cite_sources: Type.Boolean({
      description: 'Whether the result must cite its sources.',
    }),
    must_not_writeback_directly: Type.Literal(true, {
      description: 'Always true: changes to the root are proposed, never made.',
    }),
    standing_rules: Type.Optional(
      WordList('Standing rules of the repository, word for word; the worker keeps them.'),
    ),
  },
  { description: 'Constraints on the worker.' },
)

const schema = Type.Object(
  {
    ...missionArtifact('prompt_package'),
    task_id: Words('The task that the prompts are for.'),
    package_id: Words('The id of the package.'),
    role_type: RoleType('The role of the agent that gets the prompts.'),
    template_id: Words('The template that the prompts were made from.'),
    template_version: Words('The version of the template.'),
    examples_used: WordList('Examples used in the prompts.'),
    system_prompt: Words('The system prompt.'),
    task_prompt: Words('The prompt for the task.'),
    constraints: Constraints,
    tool_scope: WordList('Tools that the agent may use.'),
    model_route: Words('The kind of model to use.'),
  },
  { title: 'Prompt package', description: 'The exact prompts of one worker for one task.' },
)

export type PromptPackage = Static<typeof schema>
export default schema
