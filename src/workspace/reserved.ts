import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'

const RESERVED = /^\.(?:git|waybill)$/i

/**
 * The folder of Git or of local state in which something would come to stand that is to be made at a path, be it through
 * a link; `undefined` where in neither.
 */
export function reservedFolder(root: string, path: string): string | undefined {
  const target = resolve(root, path)
  return reservedIn(relative(root, target)) ?? reservedIn(relative(real(root), real(target)))
}

function reservedIn(path: string): string | undefined {
  return path.split(sep).find(name => RESERVED.test(name))
}

/** Where a path leads: what is not there yet will stand where the folder above it does. */
function real(path: string): string {
  const above = dirname(path)
  if (existsSync(path) || above === path) return realpathSync(path)
  return join(real(above), path.slice(above.length))
}
