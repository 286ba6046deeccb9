/** Members that are not compared: the platform sets them, or they follow from others. */
export const ofPlatform: ReadonlySet<string> = new Set([
  'revision',
  'created_at',
  'updated_at',
  // Derived from the others.
  'words',
  'hooked',
  'feed_for',
  // Compared with the visibility that it belongs to.
  'friends_private',
  'reacts',
  'awaited_calls',
  'due_at',
  // Derived from what has happened.
  'waiting_run',
  'disabled_until',
  'last_fire',
  'fire_counts',
  'rating_sum',
  // Sealed differently each time; the secrets themselves are compared.
  'trigger_secrets',
  'settings_secrets',
  // The manifest speaks for the owner.
  'by_agent',
  'owner_sends',
  'app_paused',
])
