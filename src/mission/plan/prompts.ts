import { quote, type Schema } from '../../contract/index.ts'
import type { MissionEnvelope, PromptPackage } from '../../contracts/index.ts'
import { formatInstant } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import type { Task } from '../runner.ts'
import { filled, missionValues, PROMPT_PLACEHOLDERS, placeholderFaults } from './placeholders.ts'
import type { PromptFile } from './prompt/schema.ts'
import {
  type DefinitionFault,
  isDefinition,
  readDefinition,
  readDefinitionFile,
  type TemplateFolder,
} from './read-definition.ts'

/** The prompts of one role, in one version. */
export interface PromptTemplate {
  readonly id: string
  readonly version: string
  readonly role: Task['role_type']
  /** Contains placeholders until a package is made of it. */
  readonly systemPrompt: string
  readonly taskPrompt: string
  readonly mustCiteSources: boolean
  readonly modelRoute: string
  readonly examples: NonNullable<PromptFile['examples']>
}

const REFERENCE = /^([A-Za-z0-9][A-Za-z0-9_-]*)@([A-Za-z0-9][A-Za-z0-9._-]*)$/

/**
 * Reads the prompt template that a reference `<template_id>@<version>` names.
 * @throws {WaybillError} 'not-found'; 'configuration' with every fault and its place.
 */
export async function readPrompt(
  place: TemplateFolder,
  reference: string,
  given?: Uint8Array,
): Promise<PromptTemplate> {
  const [, id = '', version = ''] = REFERENCE.exec(reference) ?? []
  const path = `${place.folder}/prompts/${id}/${version}.yaml`
  if (id === '' || !(given || isDefinition(place, path)))
    throw new WaybillError('not-found', `there is no prompt template ${quote(reference)}`, {
      hint: `expected at ${place.folder}/prompts/<template_id>/<version>.yaml`,
    })
  return parsePrompt(given ?? readDefinitionFile(place, path), { id, version }, path)
}

/** Parses a prompt template; the error lists every fault. */
async function parsePrompt(
  bytes: Uint8Array,
  { id, version }: Pick<PromptTemplate, 'id' | 'version'>,
  path: string,
): Promise<PromptTemplate> {
  const file = await readDefinition<PromptFile>(bytes, path, {
    id: 'prompt-template.v1',
    title: 'Prompt template',
    load: loadStructure,
    faultsIn: value => [...promptFaults(value)],
  })
  return {
    id,
    version,
    role: file.role_type,
    systemPrompt: file.system_prompt,
    taskPrompt: file.task_prompt,
    mustCiteSources: file.constraints?.must_cite_sources ?? false,
    modelRoute: file.model_route,
    examples: file.examples ?? [],
  }
}

async function loadStructure() {
  const [{ validate }, schema] = await Promise.all([
    import('./prompt/validate.generated.js'),
    import('../../../schemas/templates/prompt-template.v1.json', { with: { type: 'json' } }),
  ])
  return { validate, schema: schema.default as Schema }
}

function* promptFaults(file: PromptFile): Iterable<DefinitionFault> {
  for (const key of ['system_prompt', 'task_prompt'] as const)
    for (const fault of placeholderFaults(file[key], PROMPT_PLACEHOLDERS))
      yield { path: [key], ...fault }
  const seen = new Set<string>()
  for (const [i, { id }] of (file.examples ?? []).entries()) {
    if (seen.has(id))
      yield {
        path: ['examples', i, 'id'],
        message: `the example id ${quote(id)} is used twice`,
        hint: 'rename one of them',
      }
    seen.add(id)
  }
}

/** Why a prompt template cannot serve a role; undefined when it can. */
export function promptTemplateFault(
  { id, version, role }: PromptTemplate,
  wanted: Task['role_type'],
): string | undefined {
  if (role === wanted) return undefined
  return `the prompt template ${quote(`${id}@${version}`)} is for the role ${role}, not ${wanted}`
}

/**
 * Builds the prompt package of a task, unchecked. Its tools are those of the task that policies also allow.
 * @throws {WaybillError} 'configuration' when the template is for another role; 'usage' when a context reference is
 * missing.
 */
export function promptPackage(
  template: PromptTemplate,
  task: Task,
  envelope: MissionEnvelope,
  allowedTools: readonly string[],
  now: number,
  given: {
    readonly package: string
    readonly producer: string
    /** The standing rules in force. */
    readonly rules?: readonly string[] | undefined
  },
): PromptPackage {
  const unfit = promptTemplateFault(template, task.role_type)
  if (unfit) throw new WaybillError('configuration', unfit)
  const values = {
    ...missionValues(envelope),
    'task.objective': task.objective,
    'task.success_criteria': task.success_criteria.map(each => `- ${each}`).join('\n'),
  }
  return {
    schema_name: 'prompt_package',
    schema_version: 'v1',
    mission_id: envelope.mission_id,
    tenant_id: envelope.tenant_id,
    actor_id: envelope.actor_id,
    task_id: task.task_id,
    package_id: given.package,
    role_type: task.role_type,
    template_id: template.id,
    template_version: template.version,
    examples_used: template.examples.map(({ id }) => id),
    system_prompt: [filled(template.systemPrompt, values), ...template.examples.map(shown)].join(
      '\n\n',
    ),
    task_prompt: filled(template.taskPrompt, values),
    constraints: {
      must_cite_sources: template.mustCiteSources,
      must_not_writeback_directly: true,
      ...(given.rules?.length && { standing_rules: [...given.rules] }),
    },
    tool_scope: [...new Set(task.allowed_tools)].filter(tool => allowedTools.includes(tool)),
    model_route: template.modelRoute,
    created_at: formatInstant(now),
    producer: given.producer,
  }
}

/** Placeholders in examples are not filled in. */
function shown({ id, input, output }: PromptTemplate['examples'][number]): string {
  return `Example ${id}\nGiven:\n${written(input)}\nAnswer:\n${written(output)}`
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)
}
