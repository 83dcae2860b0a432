import { join } from 'node:path'
import { nearest, quote, type Schema } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import { walk } from '../../workspace/index.ts'
import type { Task } from '../runner.ts'
import { RETURNED } from './artifacts.ts'
import { PLANNING } from './planning.ts'
import { promptTemplateFault, readPrompt } from './prompts.ts'
import {
  type DefinitionFault,
  isDefinition,
  readDefinition,
  readDefinitionFile,
  type TemplateFolder,
} from './read-definition.ts'
import type { TemplateFile } from './template/schema.ts'
import { templateFaults } from './template-faults.ts'

/** A kind of mission: its envelope defaults, its tasks, and their agents and prompts. */
export interface Template {
  readonly name: string
  readonly title: string
  readonly description: string | null
  readonly missionType: string
  readonly defaults: TemplateFile['defaults']
  /** Whether the template lists the tasks, or one planner task whose agent plans them. */
  readonly planner: 'template' | 'agent'
  /** Contain placeholders until a graph is made of them. */
  readonly tasks: readonly Task[]
  /** `<template_id>@<version>` by task id or role. */
  readonly prompts: Readonly<Record<string, string>>
  /** Canonical ids of agents, by task id. */
  readonly agents: Readonly<Record<string, string>>
  readonly retries: {
    readonly limit: number
    /** Milliseconds before the second attempt; later delays double. */
    readonly first: number
    readonly longest: number
  }
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/
const RETRIES = { limit: 2, first: 1000, longest: 60_000 }

/** Lists the mission templates of a repository, sorted. */
export function listTemplates({ root, folder }: TemplateFolder): readonly string[] {
  const { files } = walk(join(root, folder), root, { reach: 'shallow', names: /\.yaml$/ })
  return files
    .map(file => file.slice(join(root, folder).length + 1, -'.yaml'.length))
    .filter(name => NAME.test(name))
}

/**
 * Reads a mission template and the prompt templates that it names.
 * @throws {WaybillError} 'not-found'; 'configuration' with every fault and its place.
 */
export async function readTemplate(
  place: TemplateFolder,
  name: string,
  given?: Uint8Array,
): Promise<Template> {
  const path = `${place.folder}/${name}.yaml`
  if (!NAME.test(name) || !(given || isDefinition(place, path))) throw unknownTemplate(place, name)
  return parseTemplate(
    given ?? readDefinitionFile(place, path),
    name,
    path,
    async (reference, role) => {
      try {
        const template = await readPrompt(place, reference)
        return role === undefined ? undefined : promptTemplateFault(template, role)
      } catch (error) {
        if (error instanceof WaybillError) return error.message
        throw error
      }
    },
  )
}

function unknownTemplate(place: TemplateFolder, name: string): WaybillError {
  const names = listTemplates(place)
  const meant = nearest(name, names)
  const hint = meant
    ? `did you mean '${meant}'?`
    : names.length > 0
      ? `templates: ${names.join(', ')}`
      : `add one to ${place.folder}`
  return new WaybillError('not-found', `there is no mission template ${quote(name)}`, { hint })
}

/** Returns why prompts cannot be used, for the given role if known. */
type PromptCheck = (
  reference: string,
  role: Task['role_type'] | undefined,
) => Promise<string | undefined>

/** Parses a mission template; the error lists every fault. */
export async function parseTemplate(
  bytes: Uint8Array,
  name: string,
  path: string,
  promptCheck: PromptCheck,
): Promise<Template> {
  const file = await readDefinition<TemplateFile>(bytes, path, {
    id: 'mission-template.v1',
    title: 'Mission template',
    load: loadStructure,
    faultsIn: async value => [
      ...(await templateFaults(value, tasksOf(value))),
      ...(await promptFaults(value, promptCheck)),
    ],
  })
  return {
    name,
    title: file.title,
    description: file.description ?? null,
    missionType: file.mission_type,
    defaults: file.defaults,
    planner: file.planner ?? 'template',
    tasks: tasksOf(file),
    prompts: file.prompts ?? {},
    agents: file.agents ?? {},
    retries: retriesOf(file.retries ?? {}),
  }
}

/** Given values win; defaults adapt to them. */
function retriesOf({ limit, first_ms, longest_ms }: NonNullable<TemplateFile['retries']>) {
  const first = first_ms ?? Math.min(RETRIES.first, longest_ms ?? RETRIES.first)
  const longest = longest_ms ?? Math.max(RETRIES.longest, first)
  return { limit: limit ?? RETRIES.limit, first, longest }
}

async function loadStructure() {
  const [{ validate }, schema] = await Promise.all([
    import('./template/validate.generated.js'),
    import('../../../schemas/templates/mission-template.v1.json', { with: { type: 'json' } }),
  ])
  return { validate, schema: schema.default as Schema }
}

/** The tasks of the first graph, with optional lists filled in. */
function tasksOf({ planner, tasks }: TemplateFile): Task[] {
  const written = tasks ?? (planner === 'agent' ? [PLANNING] : [])
  return written.map(task => ({
    depends_on: [],
    required_capabilities: [],
    allowed_tools: [],
    required_data_scopes: [],
    ...task,
  }))
}

async function promptFaults(file: TemplateFile, check: PromptCheck): Promise<DefinitionFault[]> {
  const faults: DefinitionFault[] = []
  const roles = new Map(tasksOf(file).map(task => [task.task_id, task.role_type]))
  for (const [key, reference] of Object.entries(file.prompts ?? {})) {
    const role = roles.get(key) ?? (isRole(key) ? key : undefined)
    const message = await check(reference, role)
    if (message) faults.push({ path: ['prompts', key], message, hint: 'fix it or name another' })
  }
  return faults
}

function isRole(key: string): key is Task['role_type'] {
  return Object.hasOwn(RETURNED, key)
}
