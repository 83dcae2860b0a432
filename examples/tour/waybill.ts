import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { styleText } from 'node:util'
import { tourEnvironment } from './environment.ts'

const PROGRAM = join(import.meta.dirname, '../../bin/waybill')

/** How a run of the command line ended, and all that it printed. */
export interface Run {
  readonly exitCode: number
  readonly output: string
  /** What of that it printed to standard output. */
  readonly result: string
}

/** Runs the real command line in a folder, passes on what it prints as it comes, and collects it. */
export function runWaybill(
  args: readonly string[],
  { folder, stateHome }: { readonly folder: string; readonly stateHome: string },
  passOn: (chunk: Buffer) => void = () => {},
): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(PROGRAM, args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: tourEnvironment(stateHome, isColoured()),
    })
    const chunks: Buffer[] = []
    const results: Buffer[] = []
    const take = (chunk: Buffer) => {
      chunks.push(chunk)
      passOn(chunk)
    }
    // Nobody would be there to read what it does, and it might wait for a database that is gone.
    const end = () => child.kill('SIGKILL')
    // Before its folder is removed, or it would make it anew.
    process.prependListener('exit', end)
    child.stdout.on('data', take)
    child.stdout.on('data', chunk => results.push(chunk))
    child.stderr.on('data', take)
    child.on('error', reject)
    child.on('close', code => {
      process.off('exit', end)
      const [output, result] = [chunks, results].map(parts => Buffer.concat(parts).toString())
      resolve({ exitCode: code ?? 1, output: output ?? '', result: result ?? '' })
    })
  })
}

/** Runs the real command line with this process's own input and output; gives its exit code. */
export function passOnToWaybill(args: readonly string[], folder: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(PROGRAM, args, { cwd: folder, stdio: 'inherit' })
    child.on('error', reject)
    child.on('close', code => resolve(code ?? 1))
  })
}

/** Whether text for standard output is marked up: on a terminal, and as NO_COLOR and FORCE_COLOR say. */
function isColoured(): boolean {
  return styleText('bold', '.') !== '.'
}
