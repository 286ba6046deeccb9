/** The smallest manifest that shows a handoff, for tool texts and documents. */
export const smallManifest = {
  manifest_version: 1 as const,
  app_id: 'newsroom',
  name: 'Newsroom',
  agents: [
    {
      local_id: 'researcher',
      name: 'Rosa',
      heart: {
        tasks: [
          {
            task_id: 'research',
            name: 'Research',
            prompt: 'Find out about {{input}}',
            output_sharing: { enabled: true, target_agent_id: 'writer', target_task_id: 'write' },
          },
        ],
      },
    },
    {
      local_id: 'writer',
      name: 'Will',
      heart: { tasks: [{ task_id: 'write', name: 'Write', prompt: 'Write it up: {{input}}' }] },
    },
  ],
  connections: [{ from: 'researcher', to: 'writer', permissions: ['message', 'run_task'] }],
}
