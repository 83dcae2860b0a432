/**
 * What happens between sessions and within one: lineage, resuming, briefs, the moves of a session's state, the
 * figures of a pipeline.
 *
 * May not print; write a file that it was not told to write.
 */
