import type { Fields } from '../../contract/index.ts'
import type { GateKey } from './phases.ts'
import type { SessionState } from './schema.ts'

/** The review of a mission as an artifact of a gate. */
export interface Review {
  /** The name of the artifact. */
  readonly name: string
  /** The id of the mission. */
  readonly mission: string
  /** The digest at the end of the name; only the review with this digest counts. */
  readonly pinned?: string | undefined
}

/** Lenient: any spelling that reads like a review counts as one. */
const REVIEW =
  /^[^\p{L}\p{N}]*mission[^\p{L}\p{N}]*review(?!\p{L})[^\p{L}\p{N}]*(?<mission>\S*)(?:\s+sha256:(?<pinned>\S*))?/isu

/** The review that an artifact name refers to; `undefined` for other artifacts. */
export function reviewNamed(name: string): Review | undefined {
  const found = REVIEW.exec(name.normalize('NFKC').toLowerCase())?.groups
  return found && { name, mission: found.mission ?? '', pinned: found.pinned }
}

/** The review of a mission under its canonical name. */
export function reviewOf(mission: string): Review {
  const id = mission.toLowerCase()
  return { name: `MissionReview ${id}`, mission: id }
}

/** The reviews that a gate requires in a structurally valid state. */
export function reviewsRequired(sound: Fields, gate: GateKey): Review[] {
  const { Required = [], Provided = {} } = (sound as SessionState).GateArtifacts?.[gate] ?? {}
  const names = new Set([...Required, ...Object.keys(Provided)])
  return [...names].flatMap(name => reviewNamed(name) ?? [])
}
