/** The form of a mission id: a UUID. */
export const MISSION_ID =
  '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}(?![\\s\\S])'

const ID = new RegExp(MISSION_ID)

/** The mission id in a value, in lower case; `undefined` if it is not one. */
export function missionIdIn(value: unknown): string | undefined {
  return typeof value === 'string' && ID.test(value) ? value.toLowerCase() : undefined
}
