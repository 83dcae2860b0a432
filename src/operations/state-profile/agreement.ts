import type { StatedProfile } from '../../contracts/index.ts'
import type { ProfileDecision } from '../../session/index.ts'
import type { StateProfileOutput } from './output.ts'

type Agreement = NonNullable<StateProfileOutput['agreement']>

/** How the profile of a state stands to the one that was found, and what follows for the session. */
export function agreementOf(found: ProfileDecision, stated: StatedProfile): Agreement {
  const { profile, source = null } = stated
  const told = { stated: profile, source }
  if (profile === '') return { ...told, agrees: true, about: whileOpen(found, stated) }
  if (found.profile === profile) {
    const about = 'the state names the same profile'
    return { ...told, agrees: true, about }
  }
  if (found.source === 'user-explicit') {
    const about = `the user changes the profile from ${told.stated} to ${found.profile}: go back to phase 1, load the rulebooks again and evaluate every gate anew`
    return { ...told, agrees: false, about }
  }
  if (found.source === 'ambiguous') {
    const among = found.candidates.some(candidate => candidate.profile === profile)
    const about = among
      ? `${told.stated} is one of several that the files speak for, and nothing says why it was chosen`
      : `the files speak for several profiles, and ${told.stated} is none of them`
    return { ...told, agrees: false, about }
  }
  if (found.source === 'deferred') {
    return {
      ...told,
      agrees: true,
      about: `nothing in the repository speaks against ${told.stated}`,
    }
  }
  const about = `the files speak for ${found.profile}: a profile changes only by the user's word, and then the session goes back to phase 1`
  return { ...told, agrees: false, about }
}

function whileOpen({ profile }: ProfileDecision, { discovered }: StatedProfile): string {
  if (!discovered)
    return 'no profile is active yet: until discovery is complete, ProfileSource stays deferred'
  return profile ? 'no profile is active yet: this one can be written' : 'no profile is active yet'
}
