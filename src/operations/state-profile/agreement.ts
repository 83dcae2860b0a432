import type { StatedProfile } from '../../contracts/index.ts'
import type { ProfileDecision } from '../../session/index.ts'
import type { StateProfileOutput } from './output.ts'

type Agreement = NonNullable<StateProfileOutput['agreement']>

/** Compares the profile of a state with the detected one. */
export function agreementOf(found: ProfileDecision, stated: StatedProfile): Agreement {
  const { profile, source = null } = stated
  const base = { stated: profile, source }
  if (profile === '') return { ...base, agrees: true, about: whileOpen(found, stated) }
  if (found.profile === profile) {
    const about = 'the state names the same profile'
    return { ...base, agrees: true, about }
  }
  if (found.source === 'user-explicit') {
    const about = `the user changes the profile from ${base.stated} to ${found.profile}: go back to phase 1, reload the rulebooks and re-evaluate every gate`
    return { ...base, agrees: false, about }
  }
  if (found.source === 'ambiguous') {
    const among = found.candidates.some(candidate => candidate.profile === profile)
    const about = among
      ? `${base.stated} is one of several profiles that the files indicate, without a reason for the choice`
      : `the files indicate several profiles, but not ${base.stated}`
    return { ...base, agrees: false, about }
  }
  if (found.source === 'deferred') {
    return {
      ...base,
      agrees: true,
      about: `nothing in the repository contradicts ${base.stated}`,
    }
  }
  const about = `the files indicate ${found.profile}: only the user may change the profile, and the session then goes back to phase 1`
  return { ...base, agrees: false, about }
}

function whileOpen({ profile }: ProfileDecision, { discovered }: StatedProfile): string {
  if (!discovered)
    return 'no profile is active yet: ProfileSource stays deferred until discovery is complete'
  return profile ? 'no profile is active yet: this one can be set' : 'no profile is active yet'
}
