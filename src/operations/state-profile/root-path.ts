import { WaybillError } from '../../error.ts'
import { pathFromRoot } from '../../workspace/index.ts'
import type { App } from '../operation.ts'

/** A path that was named on a command line, from the root; it has to lie inside. */
export function rootPath(name: string, app: App): string {
  const path = pathFromRoot(name, app)
  if (!/^\.\.(?:\/|$)/.test(path)) return path || '.'
  throw new WaybillError('usage', `${name} leads out of the repository`, {
    hint: 'name a folder of this repository, or another repository with --root',
  })
}
