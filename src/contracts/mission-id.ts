/** What a mission's id looks like: a UUID. */
export const MISSION_ID =
  '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}(?![\\s\\S])'

const ID = new RegExp(MISSION_ID)

/** The mission that a value names, in small letters, which say the same; nothing where it is no id. */
export function missionIdIn(value: unknown): string | undefined {
  return typeof value === 'string' && ID.test(value) ? value.toLowerCase() : undefined
}
