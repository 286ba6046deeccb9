/** Members of stored things that are no change of them: they are the platform's, or follow from others. */
export const ofPlatform: ReadonlySet<string> = new Set([
  'revision',
  'created_at',
  'updated_at',
  // They follow from the others.
  'words',
  'hooked',
  'feed_for',
  'reacts',
  'due_at',
  // They follow from what has happened.
  'waiting_run',
  'fire_counts',
  'rating_sum',
  // Sealed anew each time; what is sealed is compared.
  'trigger_secrets',
  'settings_secrets',
  // What a manifest says is its owner's word.
  'by_agent',
])
