import { platformEvents } from '#src/core/vocabulary.ts'

/** The type of the control channels that are sent what tasks post, as JSON. */
export const sentChannelType = 'webhook'

/** Types of control channels that are kept, and that nothing is sent to. */
export const silentChannelTypes = ['web', 'api', 'a2a', 'mcp']

/** Levels of access to an ability, from the owner alone to everyone. */
export const abilityLevels = ['private', 'members', 'friends', 'public_paid', 'public']

/** What a friend may be allowed to do. */
export const permissions = ['message', 'run_task', 'read_feed', 'read_memory', 'approve']

/** Members of a profile that may be public. */
export const publicSections = [
  'role',
  'tagline',
  'bio',
  'skills',
  'tools',
  'knowledge_domains',
  'personality',
  'appearance',
]

/** Bundles of tools that a brain may name among its plugins and skills. */
export const bundles = ['knowledge', 'memory', 'messaging', 'commons', 'web', 'clock']

/** Events that a hook may wait for. */
export const hookEvents = ['before_run', 'after_run', 'on_error', ...platformEvents]
