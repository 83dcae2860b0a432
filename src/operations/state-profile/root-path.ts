import { WaybillError } from '../../error.ts'
import { pathFromRoot } from '../../workspace/index.ts'
import type { App } from '../operation.ts'

/** Returns a command-line path relative to the root; throws 'usage' when it is outside. */
export function rootPath(name: string, app: App): string {
  const path = pathFromRoot(name, app)
  if (!/^\.\.(?:\/|$)/.test(path)) return path || '.'
  throw new WaybillError('usage', `${name} is outside the repository`, {
    hint: 'name a folder of this repository, or another repository with --root',
  })
}
