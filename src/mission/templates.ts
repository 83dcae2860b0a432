import { join } from 'node:path'
import { normalPath } from '../contracts/index.ts'
import { WaybillError } from '../error.ts'
import { walk } from '../workspace/index.ts'
import type { Missions } from './config.ts'
import { readPrompt } from './plan/prompts.ts'
import { DefinitionError, type PlacedFault, type TemplateFolder } from './plan/read-definition.ts'
import { listTemplates, readTemplate } from './plan/template.ts'

/** Where the templates of a repository stand; however waybill.yaml writes the folder, paths of files begin with it. */
export function templateFolder(root: string, { templates }: Missions): TemplateFolder {
  return { root, folder: normalPath(templates ?? 'missions/templates') || '.' }
}

/** The templates of missions and of prompts that a repository has, and what is wrong with them. */
export interface ExaminedTemplates {
  readonly missions: number
  readonly prompts: number
  /** One message for each that is at fault. */
  readonly faults: readonly string[]
}

/** Reads every template of a repository, as whoever begins a mission does. */
export async function examineTemplates(
  root: string,
  missions: Missions,
): Promise<ExaminedTemplates> {
  const place = templateFolder(root, missions)
  const names = listTemplates(place)
  const prompts = promptsIn(place)
  const faults = [
    ...(await faultsOf(names, name => readTemplate(place, name))),
    ...(await faultsOf(prompts, reference => readPrompt(place, reference))),
  ]
  return { missions: names.length, prompts: prompts.length, faults }
}

/** A file that stands where templates do, and its bytes where they are not those of the file. */
export interface TemplateSource {
  /** From the root. */
  readonly path: string
  readonly bytes?: Uint8Array
}

/** What is wrong with one template of a mission or of prompts; nothing where the file stands where none is looked for. */
export async function faultsInTemplate(
  root: string,
  missions: Missions,
  { path, bytes }: TemplateSource,
): Promise<readonly PlacedFault[] | undefined> {
  const place = templateFolder(root, missions)
  const own = path.startsWith(`${place.folder}/`) ? path.slice(place.folder.length + 1) : ''
  const [, name] = /^([^/]+)\.yaml$/.exec(own) ?? []
  const prompt = referenceOf(own.replace(/^prompts\//, ''))
  try {
    if (name !== undefined) await readTemplate(place, name, bytes)
    else if (own.startsWith('prompts/') && prompt) await readPrompt(place, prompt, bytes)
    else return undefined
    return []
  } catch (error) {
    if (error instanceof DefinitionError) return error.faults
    if (!(error instanceof WaybillError)) throw error
    return error.code === 'not-found' ? undefined : [error]
  }
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

/** As `<template_id>@<version>`. */
function promptsIn({ root, folder }: TemplateFolder): readonly string[] {
  const above = join(root, folder, 'prompts')
  const { files } = walk(above, root, { names: /\.yaml$/ })
  return files.flatMap(file => referenceOf(file.slice(above.length + 1)) ?? [])
}

function referenceOf(path: string): string | undefined {
  const [, id, version] = /^([^/]+)\/([^/]+)\.yaml$/.exec(path) ?? []
  return id === undefined || version === undefined ? undefined : `${id}@${version}`
}
