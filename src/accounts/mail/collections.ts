import type { CollectionsOf } from '#src/ports/documents.ts'
import type { StoredMailLink } from './link.ts'
import type { StoredMail } from './mail.ts'

/** Mails to send, and the links in them. */
interface MailDocuments {
  mails: StoredMail
  mail_links: StoredMailLink
}

declare module '#src/ports/documents.ts' {
  interface Documents extends MailDocuments {}
}

/** Their collections. */
export const mailCollections: CollectionsOf<MailDocuments> = {
  mails: {
    shardKey: null,
    hidden: [],
    indexes: [
      { on: { due_at: 1 }, sparse: 'due_at' },
      { on: { group: 1, created_at: 1 } },
      { on: { expires_at: 1 } },
    ],
  },
  mail_links: {
    shardKey: null,
    hidden: [],
    indexes: [{ on: { person_id: 1 } }, { on: { expires_at: 1 } }],
  },
}
