import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { styleText } from 'node:util'
import { tourEnvironment } from './environment.ts'

const PROGRAM = join(import.meta.dirname, '../../bin/waybill')

/** How a run of the command line ended, and all that it printed. */
export interface Run {
  readonly exitCode: number
  readonly output: string
}

/** Runs the real command line in a folder and collects what it prints. */
export function runWaybill(
  args: readonly string[],
  folder: string,
  stateHome: string,
): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(PROGRAM, args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: tourEnvironment(stateHome, isColoured()),
    })
    const chunks: Buffer[] = []
    child.stdout.on('data', chunk => chunks.push(chunk))
    child.stderr.on('data', chunk => chunks.push(chunk))
    child.on('error', reject)
    child.on('close', code =>
      resolve({ exitCode: code ?? 1, output: Buffer.concat(chunks).toString() }),
    )
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
