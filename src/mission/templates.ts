import { join } from 'node:path'
import { nearest, quote } from '../contract/index.ts'
import { normalPath } from '../contracts/index.ts'
import { WaybillError } from '../error.ts'
import { walk } from '../workspace/index.ts'
import type { Missions } from './config.ts'
import { readPrompt } from './plan/prompts.ts'
import {
  DefinitionError,
  type DefinitionFault,
  type PlacedFault,
  placedIn,
  readDefinitionFile,
  type TemplateFolder,
} from './plan/read-definition.ts'
import { listTemplates, readTemplate, type Template } from './plan/template.ts'

/** Returns the templates folder of a repository, normalized. */
export function templateFolder(root: string, { templates }: Missions): TemplateFolder {
  return { root, folder: normalPath(templates ?? 'missions/templates') || '.' }
}

/** The templates of a repository and their faults. */
export interface ExaminedTemplates {
  readonly missions: number
  readonly prompts: number
  /** One message for each invalid template. */
  readonly faults: readonly string[]
  /** Tools in mission templates that waybill.yaml does not list. */
  readonly strays: readonly Stray[]
}

/** An unlisted tool, and the template that allows it. */
export interface Stray extends DefinitionFault {
  readonly hint: string
  /** The path from the root. */
  readonly template: string
}

/** Reads every template of a repository, as starting a mission does. */
export async function examineTemplates(
  root: string,
  missions: Missions,
): Promise<ExaminedTemplates> {
  const place = templateFolder(root, missions)
  const names = listTemplates(place)
  const prompts = promptsIn(place)
  const strays: Stray[] = []
  const faults = [
    ...(await faultsOf(names, async name => {
      const template = `${place.folder}/${name}.yaml`
      const finding = strayTools(await readTemplate(place, name), missions)
      strays.push(...finding.map(stray => ({ ...stray, template })))
    })),
    ...(await faultsOf(prompts, reference => readPrompt(place, reference))),
  ]
  return { missions: names.length, prompts: prompts.length, faults, strays }
}

/** Tools of tasks that waybill.yaml does not list; none if it lists no tools at all. */
function strayTools({ tasks }: Template, { tools }: Missions): readonly Omit<Stray, 'template'>[] {
  const known = Object.keys(tools ?? {})
  if (known.length === 0) return []
  return tasks.flatMap(({ task_id, allowed_tools }, i) =>
    allowed_tools.flatMap((tool, j) => {
      if (known.includes(tool)) return []
      const meant = nearest(tool, known)
      return {
        path: ['tasks', i, 'allowed_tools', j],
        message: `waybill.yaml has no tool ${quote(tool)}, which ${quote(task_id)} allows`,
        hint: `${meant ? `did you mean ${quote(meant)}? If not, ` : ''}add it to missions.tools, or remove it`,
      }
    }),
  )
}

/** A finding about a template; an error prevents its missions from starting. */
export interface SaidOfTemplate extends PlacedFault {
  readonly severity: 'error' | 'warning'
}

/** A template file, with its content if it differs from the file. */
export interface TemplateSource {
  /** The path from the root. */
  readonly path: string
  readonly bytes?: Uint8Array
}

/** Checks one template; undefined when the path is not that of a template. */
export async function faultsInTemplate(
  root: string,
  missions: Missions,
  source: TemplateSource,
): Promise<readonly SaidOfTemplate[] | undefined> {
  const { path, bytes } = source
  const place = templateFolder(root, missions)
  const own = path.startsWith(`${place.folder}/`) ? path.slice(place.folder.length + 1) : ''
  const [, name] = /^([^/]+)\.yaml$/.exec(own) ?? []
  const prompt = referenceOf(own.replace(/^prompts\//, ''))
  try {
    if (name !== undefined) {
      const strays = strayTools(await readTemplate(place, name, bytes), missions)
      return await warningsOf(place, source, strays)
    }
    if (own.startsWith('prompts/') && prompt) await readPrompt(place, prompt, bytes)
    else return undefined
    return []
  } catch (error) {
    if (!(error instanceof WaybillError)) throw error
    if (error.code === 'not-found') return undefined
    const faults = error instanceof DefinitionError ? error.faults : [error]
    return faults.map(({ message, hint, path: at, range }: PlacedFault) => ({
      ...{ message, hint, severity: 'error' },
      ...(at !== undefined && { path: at }),
      ...(range && { range }),
    }))
  }
}

/** Locates warnings in a template that was read before, so its path is known to stay inside the repository. */
async function warningsOf(
  place: TemplateFolder,
  { path, bytes }: TemplateSource,
  strays: readonly DefinitionFault[],
): Promise<readonly SaidOfTemplate[]> {
  if (strays.length === 0) return []
  const placed = await placedIn(bytes ?? readDefinitionFile(place, path), strays)
  return placed.map(finding => ({ ...finding, severity: 'warning' }))
}

async function faultsOf(
  names: readonly string[],
  read: (name: string) => Promise<unknown>,
): Promise<string[]> {
  const faults: string[] = []
  for (const name of names) {
    try {
      await read(name)
    } catch (error) {
      if (!(error instanceof WaybillError)) throw error
      faults.push(error.message)
    }
  }
  return faults
}

/** References as `<template_id>@<version>`. */
function promptsIn({ root, folder }: TemplateFolder): readonly string[] {
  const above = join(root, folder, 'prompts')
  const { files } = walk(above, root, { names: /\.yaml$/ })
  return files.flatMap(file => referenceOf(file.slice(above.length + 1)) ?? [])
}

function referenceOf(path: string): string | undefined {
  const [, id, version] = /^([^/]+)\/([^/]+)\.yaml$/.exec(path) ?? []
  return id === undefined || version === undefined ? undefined : `${id}@${version}`
}
