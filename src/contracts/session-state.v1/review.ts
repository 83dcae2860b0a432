import type { Fields } from '../../contract/index.ts'
import type { GateKey } from './phases.ts'
import type { SessionState } from './schema.ts'

/** The review of a mission as an artifact of a gate. */
export interface Review {
  /** The name of the artifact. */
  readonly name: string
  /** The id of the mission. */
  readonly mission: string
  /** The digest that the name goes on with; only the review that has it will do. */
  readonly pinned?: string | undefined
}

/** However somebody spells it by hand: what looks like a review to people counts as one. */
const REVIEW =
  /^[^\p{L}\p{N}]*mission[^\p{L}\p{N}]*review(?!\p{L})[^\p{L}\p{N}]*(?<mission>\S*)(?:\s+sha256:(?<pinned>\S*))?/isu

/** The review that the name of an artifact stands for; nothing where it stands for something else. */
export function reviewNamed(name: string): Review | undefined {
  const found = REVIEW.exec(name.normalize('NFKC').toLowerCase())?.groups
  return found && { name, mission: found.mission ?? '', pinned: found.pinned }
}

/** The review of a mission under the one name that Waybill gives it. */
export function reviewOf(mission: string): Review {
  const id = mission.toLowerCase()
  return { name: `MissionReview ${id}`, mission: id }
}

/** The reviews that a gate requires by a state that is structurally sound. */
export function reviewsRequired(sound: Fields, gate: GateKey): Review[] {
  const { Required = [], Provided = {} } = (sound as SessionState).GateArtifacts?.[gate] ?? {}
  const names = new Set([...Required, ...Object.keys(Provided)])
  return [...names].flatMap(name => reviewNamed(name) ?? [])
}
