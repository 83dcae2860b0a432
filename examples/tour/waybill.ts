import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { styleText } from 'node:util'
import { tourEnvironment } from './environment.ts'

const PROGRAM = join(import.meta.dirname, '../../bin/waybill')

/** The result of a CLI run, with all its output. */
export interface Run {
  readonly exitCode: number
  readonly output: string
  /** The standard output only. */
  readonly result: string
}

/** Runs the real CLI in a folder, streams its output and collects it. */
export function runWaybill(
  args: readonly string[],
  {
    folder,
    stateHome,
    stdin,
  }: { readonly folder: string; readonly stateHome: string; readonly stdin?: string },
  passOn: (chunk: Buffer) => void = () => {},
): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(PROGRAM, args, {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: tourEnvironment(stateHome, isColoured()),
    })
    child.stdin.on('error', () => {}).end(stdin)
    const chunks: Buffer[] = []
    const results: Buffer[] = []
    const take = (chunk: Buffer) => {
      chunks.push(chunk)
      passOn(chunk)
    }
    // Its output would go unread, and it might wait for a removed database.
    const end = () => child.kill('SIGKILL')
    // End it before its folder is removed, or it would create the folder again.
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

/** Runs the real CLI with this process's input and output; returns its exit code. */
export function passOnToWaybill(args: readonly string[], folder: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(PROGRAM, args, { cwd: folder, stdio: 'inherit' })
    child.on('error', reject)
    child.on('close', code => resolve(code ?? 1))
  })
}

/** Whether standard output is coloured: on a terminal, or by NO_COLOR and FORCE_COLOR. */
function isColoured(): boolean {
  return styleText('bold', '.') !== '.'
}
