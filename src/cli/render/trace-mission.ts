import { counted, spelled } from '../../contract/index.ts'
import type { MissionStoryParts } from '../../operations/trace/mission-output.ts'
import type { Style } from '../parse.ts'

/** How many digits of a digest are shown. */
const SHOWN = 12

/** A mission from the database: tasks with their artifacts and tool calls, then the decisions. */
export function missionStory(story: MissionStoryParts, style: Style, quiet: boolean): string[] {
  const { mission, state, tasks, artifacts, decisions, toolCalls } = story
  const count = [
    counted(tasks.length, 'task'),
    counted(artifacts.length, 'artifact'),
    counted(decisions.length, 'decision'),
    counted(toolCalls.length, 'tool call'),
  ]
  const head = `mission ${style('bold', mission)} ${state}: ${count.join(', ')}`
  if (quiet) return [head]
  return [
    head,
    ...tasks.flatMap(task => taskLines(task, story, style)),
    ...artifacts.filter(({ task }) => task === null).map(one => `  ${artifactText(one)}`),
    ...decisions.map(({ kind, id, decision, by, digest }) => {
      const who = by === null ? '' : ` by ${spelled(by)}`
      return `  ${kind} ${spelled(id)}: ${decision}${who}  ${digest.slice(0, SHOWN)}`
    }),
  ]
}

function taskLines(
  { task, agent, state, attempt, handoff, reason }: MissionStoryParts['tasks'][number],
  { artifacts, files, toolCalls }: MissionStoryParts,
  style: Style,
): string[] {
  const facts = [agent, `attempt ${attempt}`, ...(handoff === null ? [] : [`handoff ${handoff}`])]
  const why = reason === null ? '' : `  ${style('red', spelled(reason))}`
  return [
    `  ${spelled(task)}  ${state}  ${style('dim', spelled(facts.join(', ')))}${why}`,
    ...artifacts.filter(one => one.task === task).map(one => `    ${artifactText(one)}`),
    ...files
      .filter(one => one.task === task)
      .map(({ path, contract, digest, state: now }) => {
        const what = `${contract ?? 'file'} ${spelled(path)}  ${digest.slice(0, SHOWN)}`
        return `    ${what}${now === 'as-written' ? '' : `  ${style('red', now)}`}`
      }),
    ...toolCalls
      .filter(one => one.task === task)
      .map(({ ref, tool, decision, arguments: given, result }) => {
        const digests = `${given?.slice(0, SHOWN) ?? '-'} → ${result?.slice(0, SHOWN) ?? '-'}`
        return `    ${spelled(tool)} ${decision}  ${digests}  ${style('dim', spelled(ref))}`
      }),
  ]
}

function artifactText({
  schemaName,
  id,
  digest,
  erased,
}: MissionStoryParts['artifacts'][number]): string {
  return `${schemaName} ${spelled(id)}  ${digest.slice(0, SHOWN)}${erased ? '  erased' : ''}`
}
