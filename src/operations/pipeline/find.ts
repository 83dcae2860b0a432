import { dirname, join, relative, sep } from 'node:path'
import { listed } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import {
  type Config,
  lookAt,
  lookThrough,
  openFiles,
  pathFromRoot,
  walk,
} from '../../workspace/index.ts'
import type { App } from '../operation.ts'

/** The default name of an orchestration file. */
export const NAME = 'ORCHESTRATION.yaml'
const PATTERN = /(?:^|\/)ORCHESTRATION[^/]*\.ya?ml$/
const MOST_NAMED = 8

/** The input that names the file. */
export const FILE = {
  type: 'string',
  path: true,
  placeholder: 'file',
  description:
    'The orchestration file (default: the nearest ORCHESTRATION.yaml above this folder, or the only one in the repository).',
} as const

/** A file by its absolute path and its path from the root. */
export interface Place {
  readonly file: string
  readonly path: string
}

/** Finds the document: the named one, the nearest above this folder, or the only one in the repository. */
export function findPipeline(named: string | undefined, config: Config, app: App): Place {
  const path = pathFromRoot(named ?? nearest(app) ?? onlyOne(config, app), app)
  switch (openFiles(app.root).kindOf(path)) {
    case 'file':
      return { file: join(app.root, path), path }
    case 'outside':
      throw new WaybillError('usage', `${named ?? path} is not inside the repository`, {
        hint: 'name a file below the root, or another root with --root',
      })
    case 'directory':
      throw new WaybillError('usage', `${named ?? path} is a folder`, { hint: 'name a file' })
    default:
      lookThrough(join(app.root, path), path)
      // Use the path from the root: task failures keep this message and may reach other installations.
      throw new WaybillError('not-found', `${path} is not a file`, {
        hint: 'name an orchestration file that exists',
      })
  }
}

function nearest({ cwd, root }: App): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const file = join(folder, NAME)
    if (lookAt(file)) return file
    if (folder === root || folder === dirname(folder) || !folder.startsWith(root)) break
  }
  const file = join(root, NAME)
  return lookAt(file) ? file : undefined
}

function onlyOne(config: Config, { root }: App): string {
  const { files } = walk(root, root, { ignore: config.ignore })
  const found = files.filter(file => PATTERN.test(file.split(sep).join('/')))
  const [first] = found
  if (first === undefined)
    throw new WaybillError('not-found', `there is no ${NAME} in this repository`, {
      hint: 'name the document with --file',
    })
  if (found.length === 1) return first
  const names = found.slice(0, MOST_NAMED).map(file => relative(root, file).split(sep).join('/'))
  const more = found.length > names.length ? [`${found.length - names.length} more`] : []
  throw new WaybillError('usage', `the repository has several: ${listed([...names, ...more])}`, {
    hint: 'name one with --file',
  })
}
