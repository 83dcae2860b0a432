import { join } from 'node:path'
import { WaybillError } from '../../error.ts'
import { realPathOf } from '../../session/index.ts'
import { lookThrough, openFiles, pathFromRoot } from '../../workspace/index.ts'
import type { App } from '../operation.ts'

const HINT = 'name one handoff document; run waybill chain to list them'

/** Returns the path from the root of a document named on the command line; it must be a file in the repository. */
export function pathUnderRoot(name: string, app: App, hint = HINT): string {
  const { root } = app
  const path = pathFromRoot(name, app)
  const kind = openFiles(root).kindOf(path)
  if (kind === 'file') return realPathOf(root, path)
  if (kind === 'outside') {
    throw new WaybillError('usage', `${name} leads out of the repository`, {
      hint: 'name a handoff document of this repository, or another repository with --root',
    })
  }
  if (kind === 'missing') lookThrough(join(root, path), name)
  const folder = kind === 'directory'
  throw new WaybillError(
    folder ? 'usage' : 'not-found',
    folder ? `${name} is a folder` : `${name} does not exist or is not a file`,
    { hint },
  )
}
