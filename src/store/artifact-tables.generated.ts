/** The table of each sort of artifact, by its schema name; `key` is the column that names one within its mission. */
export const artifactTables = {
  mission_envelope: { table: 'colony_missions', key: 'mission_id', hasTask: false },
  mission_task_graph: { table: 'colony_task_graphs', key: 'digest', hasTask: false },
  prompt_package: { table: 'colony_prompt_packages', key: 'package_id', hasTask: true },
  research_artifact: { table: 'colony_research_artifacts', key: 'artifact_id', hasTask: true },
  librarian_pass: { table: 'colony_librarian_passes', key: 'pass_id', hasTask: true },
  worker_result: { table: 'colony_worker_results', key: 'result_id', hasTask: true },
  aggregation_packet: { table: 'colony_aggregation_packets', key: 'packet_id', hasTask: false },
  review_packet: { table: 'colony_review_packets', key: 'packet_id', hasTask: false },
  policy_decision: { table: 'colony_policy_decisions', key: 'decision_id', hasTask: false },
  writeback_proposal: { table: 'colony_writeback_proposals', key: 'proposal_id', hasTask: false },
} as const
