import { readdirSync } from 'node:fs'
import { extname, join, posix } from 'node:path'
import { quote } from '../../contract/index.ts'
import type { Agents } from '../../contracts/index.ts'
import { maskSecrets } from '../../document/index.ts'
import { LOCK_CODES, type PromptFiles } from '../../governance/index.ts'
import type { LockFault } from './output.ts'

/** Maximum number of stray files reported. */
const MOST = 100
const CODE = 'lock/stray-file'

/** Finds files next to the prompts of a manifest, with the same extension, that no agent lists. */
export function strayFiles(
  { all }: Agents,
  manifest: string,
  prompts: PromptFiles,
  root: string,
): readonly LockFault[] {
  const listed = new Set(all.map(({ file }) => posix.join(posix.dirname(manifest), file)))
  const kinds = new Set([...listed].map(file => `${posix.dirname(file)}/*${extname(file)}`))
  const nearby = new Set(
    [...kinds].flatMap(kind => {
      const folder = posix.dirname(kind)
      const ending = extname(kind)
      return namesIn(folder, prompts, root)
        .filter(name => extname(name) === ending)
        .map(name => posix.join(folder, name))
    }),
  )
  const strays = [...nearby].filter(file => !listed.has(file) && prompts.kindOf(file) === 'file')
  return strays
    .sort()
    .slice(0, MOST)
    .map(file => faultOf(file, manifest))
}

/** Lists a folder's files; a folder outside the repository is not read. */
function namesIn(folder: string, prompts: PromptFiles, root: string): string[] {
  if (folder !== '.' && prompts.kindOf(folder) !== 'directory') return []
  try {
    return readdirSync(join(root, folder))
  } catch {
    return []
  }
}

function faultOf(file: string, manifest: string): LockFault {
  return {
    document: maskSecrets(file),
    code: CODE,
    severity: LOCK_CODES[CODE].severity,
    path: '',
    ...{ line: 1, column: 1, endLine: 1, endColumn: 1 },
    message: `${quote(maskSecrets(file))} is not the prompt of any agent in ${manifest}`,
    hint: 'if it should be one, list it in the manifest and lock it; until then it is not approved',
  }
}
