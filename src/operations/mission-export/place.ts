import { lstatSync, readFileSync, type Stats } from 'node:fs'
import { resolve } from 'node:path'
import { WaybillError } from '../../error.ts'
import { bundledMission, LARGEST_BUNDLE } from '../../mission/index.ts'
import { cannotWrite } from '../../workspace/index.ts'
import type { App } from '../operation.ts'

/** Where a bundle goes, and whether it may replace one. */
export interface Placing {
  readonly app: App
  readonly replace: boolean
}

/** Throws 'exists' when anything but a replaceable bundle is at the path. */
export function requirePlace(path: string, placing: Placing): void {
  try {
    refuseStanding(path, placing)
  } catch (cause) {
    throw whyNotWritten(path, cause)
  }
}

function refuseStanding(path: string, { app, replace }: Placing): void {
  const file = resolve(app.cwd, path)
  const there = lstatSync(file, { throwIfNoEntry: false })
  if (there === undefined) return
  const mission = missionAt(file, there)
  if (mission !== undefined && replace) return
  throw standing(path, mission === undefined ? whatIs(there) : `the bundle of ${mission}`, mission)
}

function standing(path: string, what: string, mission: string | undefined): WaybillError {
  const other = 'name another file with --to'
  return new WaybillError(
    'exists',
    `${path} exists already and was not overwritten: it is ${what}`,
    {
      hint:
        mission === undefined
          ? `${other}; --replace replaces only unchanged bundles`
          : `${other}, or replace the bundle with --replace`,
    },
  )
}

/** Returns the mission of an unchanged bundle; `undefined` for any other file. */
function missionAt(file: string, there: Stats): string | undefined {
  return there.isFile() && there.size <= LARGEST_BUNDLE
    ? bundledMission(readFileSync(file))
    : undefined
}

function whatIs(there: Stats): string {
  if (there.isDirectory()) return 'a folder'
  if (there.isSymbolicLink()) return 'a link'
  return there.isFile() ? 'not a bundle, or a changed one' : 'not a file'
}

/** Turns a file system error into a WaybillError where the user can act on it. */
export function whyNotWritten(path: string, cause: unknown): unknown {
  const { code } = cause as NodeJS.ErrnoException
  if (code === undefined || cause instanceof WaybillError) return cause
  if (code === 'EEXIST')
    return new WaybillError('exists', `another process has just written ${path}`, {
      hint: 'look at it, or name another file with --to',
      cause,
    })
  return cannotWrite(path, cause)
}
