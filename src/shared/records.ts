import { articleKindNames, articleKindRow, type ArticleKindName } from '#shared/article-kinds.ts'
import { adminsOnly, adminsWith, allows, anyOf, type Access, type Viewer } from '#shared/endpoint.ts'

/*
 * Record types, defined once: their names, and the permissions that their trash, notes, and history require.
 * The server, the browser, and the tests read this table; a type that is missing here does not compile.
 */

interface RecordRights {
  /** Singular and plural, such as `contract` and `contracts`. */
  one: string
  many: string
  /** Access required to see a record with its history and notes. */
  read: Access
  /** Access required to change a record and to undo your own changes. */
  write: Access
  /** Access required to write a note; defaults to `write`. */
  note?: Access
  /** Access required to email the people of a record; if absent, records of this type have none. */
  mail?: Access
  /** Access required to move a record to the trash, to see the trash, and to restore; defaults to `write`. */
  remove?: Access
  /** False if records of this type are never moved to the trash. */
  trash?: false
  /** False if pages don't show who else has a record of this type open. */
  presence?: false
}

/** One record type per kind of article, for which a single permission covers everything. */
const articleRecords = Object.fromEntries(
  articleKindNames.map((name) => {
    const { one, many, key } = articleKindRow(name)
    return [name, { one, many, read: key, write: key }]
  }),
) as Record<ArticleKindName, { one: string; many: string; read: Access; write: Access }>

export const recordTypes = {
  lead: {
    one: 'lead',
    many: 'leads',
    read: 'lead_detail',
    write: 'lead_edit',
    mail: 'lead_send_prospection_mail',
  },
  quick_task: { one: 'quick task', many: 'quick tasks', read: 'signed-in', write: 'signed-in' },
  contract: { one: 'contract', many: 'contracts', read: 'contract_list', write: 'contract_list' },
  task: {
    one: 'task',
    many: 'tasks',
    read: 'view_task',
    write: 'edit_task',
    note: 'view_task',
    remove: 'delete_task',
  },
  designer_task: {
    one: 'designer task',
    many: 'designer tasks',
    read: 'designer_view_task',
    write: 'designer_edit_task',
    note: 'designer_view_task',
    remove: 'designer_delete_task',
  },
  post: {
    one: 'post',
    many: 'posts',
    read: 'all_posts_list',
    write: 'all_posts_list',
    remove: 'all_posts_delete',
  },
  category: { one: 'category', many: 'categories', read: 'categories_list', write: 'categories_list' },
  tag: { one: 'tag', many: 'tags', read: 'signed-in', write: adminsOnly },
  comment: { one: 'comment', many: 'comments', read: 'latest_comments_list', write: 'latest_comments_list' },
  organization: {
    one: 'organization',
    many: 'organizations',
    read: 'all_organization_list',
    write: 'all_organization_update_status',
    note: 'all_organization_note',
    mail: 'all_organization_email',
  },
  onboarding: {
    one: 'onboarding',
    many: 'onboardings',
    read: 'onboarding_list',
    write: 'onboarding_list',
    mail: 'onboarding_send_attachment_link',
  },
  ticket: {
    one: 'ticket',
    many: 'tickets',
    read: 'all_tickets_view',
    write: 'all_tickets_view',
    remove: 'all_tickets_delete',
  },
  saved_reply: {
    one: 'saved reply',
    many: 'saved replies',
    read: 'all_tickets_view',
    write: 'all_tickets_view',
  },
  notification: {
    one: 'notification',
    many: 'notifications',
    read: 'all_notifications_list',
    write: 'all_notifications_list',
    remove: 'send_new_list',
  },
  ...articleRecords,
  faq: { one: 'FAQ', many: 'FAQs', read: 'all_faq_list', write: 'all_faq_list' },
  faq_category: { one: 'FAQ category', many: 'FAQ categories', read: 'faq_view', write: 'faq_view' },
  customer_user: {
    one: 'customer user',
    many: 'customer users',
    read: 'all_users_list',
    write: 'all_users_list',
    note: 'all_organization_note',
    mail: 'all_organization_email',
    remove: adminsWith('all_users_list'),
  },
  /** Admin users. They are deactivated instead, and `private-staff.ID` is the channel of the user themselves. */
  staff: {
    one: 'admin user',
    many: 'admin users',
    read: 'admin_users_list',
    write: adminsWith('admin_users_list'),
    trash: false,
    presence: false,
  },
} as const satisfies Record<string, RecordRights>

export type RecordType = keyof typeof recordTypes
/** Other names under which pages are notified of changes, each with the access that listening to it requires. */
const otherLiveNames = {
  /**
   * When hosts hold sessions, in all products. A session of a record that a viewer can't see makes its hosts busy, too;
   * viewers learn only that something changed.
   */
  appointments: anyOf('lead_list', 'onboarding_list'),
  /** Leads, which also viewers of their list are notified of. */
  leads: anyOf('lead_list', 'lead_detail'),
  'lead-imports': 'lead_create',
  'lead-operations': anyOf('lead_edit', 'lead_reject', 'lead_select_pripority', 'lead_create'),
  lists: 'signed-in',
  mails: 'signed-in',
  'received-mails': 'all_tickets_view',
  roles: adminsOnly,
  settings: 'signed-in',
  /** Saved views; of views that a viewer can't see, they learn only that one changed. */
  views: 'signed-in',
  'web-forms': adminsOnly,
} as const satisfies Record<string, Access>

/** Names under which pages are notified of changes: record types, and other data that open pages show. */
export type LiveName = Exclude<RecordType, 'lead'> | keyof typeof otherLiveNames

export const recordTypeNames = Object.keys(recordTypes) as [RecordType, ...RecordType[]]
export const isRecordType = (name: unknown): name is RecordType =>
  typeof name === 'string' && Object.hasOwn(recordTypes, name)

/** Types of the records whose people can be emailed from the record's page. */
export const mailedTypes = [
  'lead',
  'organization',
  'onboarding',
  'customer_user',
] as const satisfies RecordType[]
export type MailedType = (typeof mailedTypes)[number]
/** Types of the records on which emails arrive. */
export const repliedTypes = [...mailedTypes, 'ticket'] as const satisfies RecordType[]
export type RepliedType = (typeof repliedTypes)[number]
export const isRepliedType = (type: unknown): type is RepliedType =>
  (repliedTypes as readonly unknown[]).includes(type)
export const isMailedType = (type: RecordType): type is MailedType => 'mail' in recordTypes[type]

export type RecordAct = 'read' | 'write' | 'note' | 'mail' | 'remove'

const noOne: Access = { anyOf: [] }

/** Returns the access rule for an action on a record of this type. */
export function rightOn(type: RecordType, act: RecordAct): Access {
  const rights: RecordRights = recordTypes[type]
  return rights[act] ?? (act === 'mail' ? noOne : rights.write)
}

/** Returns whether records of this type can be moved to the trash. */
export const hasTrash = (type: RecordType): boolean => !('trash' in recordTypes[type])

/** Returns whether a viewer can see records of this type at all; the type's scope decides which ones. */
export const mayReadType = (type: RecordType, viewer: Viewer | undefined): boolean =>
  allows(rightOn(type, 'read'), viewer, { params: {}, query: {}, body: {} })

export const isLiveName = (name: string | undefined): name is LiveName =>
  name !== undefined && name !== 'lead' && (isRecordType(name) || Object.hasOwn(otherLiveNames, name))

/** Returns the name under which pages are notified of changes to records of this type. */
export const liveNameOf = (type: RecordType): LiveName => (type === 'lead' ? 'leads' : type)

/** Returns whether a viewer is notified of changes under this name. */
export const mayHear = (name: LiveName, viewer: Viewer | undefined): boolean =>
  isRecordType(name)
    ? mayReadType(name, viewer)
    : allows(otherLiveNames[name], viewer, { params: {}, query: {}, body: {} })

/** Formats a record count, such as `1 contract` or `3 contracts`. */
export const counted = (type: RecordType, count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? recordTypes[type].one : recordTypes[type].many}`
