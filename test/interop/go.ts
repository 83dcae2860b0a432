import { join } from 'node:path'
import { root, run, without } from '../python.ts'

// Where Debian's package golang-golang-x-mod-dev puts Go's own checksum database.
const ENVIRONMENT = ['GO111MODULE=off', 'GOPATH=/usr/share/gocode', 'GOFLAGS=', 'GOPROXY=off']
const go = (...args: string[]) => run('env', [...ENVIRONMENT, 'go', ...args], root)

/** Whether Go is there, with the packages that verify a log. */
export const hasGo = go('list', 'golang.org/x/mod/sumdb/tlog').status === 0
/** Why there is nothing to run, if so. */
export const NEEDS_GO = without('Go with golang.org/x/mod/sumdb', hasGo)

/** Builds the checker into a folder; gives a function that runs it on a log and says what came of it. */
export function buildGoChecker(folder: string) {
  const binary = join(folder, 'check')
  const { status, output } = go('build', '-o', binary, join(root, 'test/interop/check.go'))
  if (status !== 0) throw new Error(output)
  return (log: string, key: string, ...proofs: string[]) => run(binary, [log, key, ...proofs], root)
}
