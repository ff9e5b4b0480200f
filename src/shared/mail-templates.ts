import type { RecordType } from '#shared/records.ts'

/*
 * The kinds of emails whose text roles 0 and 1 can edit: their variables, and the text that the program has.
 * Variables are written as `{{first_name}}`.
 */

interface Variable {
  label: string
  /** Whole paragraphs instead of words; such a variable is alone in its paragraph, which can be left out. */
  block?: true
}

export interface TemplateKind {
  name: string
  group: 'Tickets' | 'Sales' | 'Accounts' | 'Mailings' | 'Staff' | 'Composer'
  /** Records that the preview can show. */
  record: RecordType | 'own account'
  /** Whether products can have their own text. */
  byProduct: boolean
  variables: Readonly<Record<string, Variable>>
  /** Variables without which the email makes no sense. */
  needs: readonly string[]
  subject: string
  content: string
}

const p = (...lines: string[]) => lines.map((line) => `<p>${line}</p>`).join('')

const person = {
  my_name: { label: 'The sender’s name' },
  signature: { label: 'The signature of the product', block: true },
} as const
const product = { product: { label: 'The product' } } as const
const link = { link: { label: 'The link, which works once' } } as const
const account = { first_name: { label: 'The person’s first name' }, ...link } as const
const session = {
  ...person,
  ...product,
  name: { label: 'The contact’s name' },
  company: { label: 'The lead’s company' },
  session: { label: 'The type of session, such as Demo' },
  time: { label: 'The time, in both time zones' },
} as const

export const templateKinds = {
  'ticket-reply': {
    name: 'Ticket reply',
    group: 'Tickets',
    record: 'ticket',
    byProduct: true,
    variables: {
      ...person,
      ...product,
      ticket_title: { label: 'Title of the ticket' },
      ticket_number: { label: 'Number of the ticket, such as #12' },
      first_name: { label: 'The requester’s first name' },
      reply: { label: 'The reply, as the author wrote it', block: true },
    },
    needs: ['reply'],
    subject: 'Re: {{ticket_title}} [{{ticket_number}}]',
    content: p('{{reply}}', '{{signature}}'),
  },
  'ticket-received': {
    name: 'Ticket received',
    group: 'Tickets',
    record: 'ticket',
    byProduct: true,
    variables: {
      ...product,
      signature: { label: 'The signature of the product', block: true },
      ticket_title: { label: 'Title of the ticket' },
      ticket_number: { label: 'Number of the ticket, such as #12' },
      first_name: { label: 'The requester’s first name' },
    },
    needs: ['ticket_number'],
    subject: '{{ticket_title}} [{{ticket_number}}]',
    content: p(
      'Hello {{first_name}},',
      'We’ve received your message. Its number is {{ticket_number}}.',
      'If you’d like to add something, just reply to this email.',
      '{{signature}}',
    ),
  },
  prospection: {
    name: 'Prospecting email',
    group: 'Sales',
    record: 'lead',
    byProduct: true,
    variables: {
      ...person,
      ...product,
      name: { label: 'The contact’s name' },
      company: { label: 'The lead’s company' },
      timezone: { label: 'The lead’s time zone' },
    },
    needs: [],
    subject: '{{product}} for {{company}}',
    content: p(
      'Hello {{name}},',
      'I’m reaching out because {{product}} could save {{company}} time and money.',
      'Would you like to know more? Just reply to this email.',
      '{{signature}}',
    ),
  },
  'schedule-demo': {
    name: 'Demo email, no time yet',
    group: 'Sales',
    record: 'lead',
    byProduct: true,
    variables: {
      ...person,
      ...product,
      name: { label: 'The contact’s name' },
      company: { label: 'The lead’s company' },
      timezone: { label: 'The lead’s time zone' },
    },
    needs: [],
    subject: '{{product}} demo for {{company}}',
    content: p(
      'Hello {{name}},',
      'Thank you for your interest in {{product}}. We’d love to show you how it works.',
      'What time works for you? Please reply with two or three options in your time zone ({{timezone}}).',
      '{{signature}}',
    ),
  },
  'confirm-demo': {
    name: 'Demo email, time agreed',
    group: 'Sales',
    record: 'lead',
    byProduct: true,
    variables: {
      ...person,
      ...product,
      name: { label: 'The contact’s name' },
      company: { label: 'The lead’s company' },
      timezone: { label: 'The lead’s time zone' },
      day: { label: 'The day of the demo' },
      time: { label: 'The time of the demo' },
    },
    needs: [],
    subject: 'Your {{product}} demo on {{day}}',
    content: p(
      'Hello {{name}},',
      'We look forward to showing you {{product}} on {{day}} at {{time}}.',
      'If another time works better for you, just reply to this email.',
      '{{signature}}',
    ),
  },
  'session-scheduled': {
    name: 'Session invitation',
    group: 'Sales',
    record: 'lead',
    byProduct: true,
    variables: session,
    needs: ['time'],
    subject: '{{product}}: {{session}} on {{time}}',
    content: p(
      'Hello {{name}},',
      'Your {{session}} takes place on {{time}}. The attached file adds it to your calendar.',
      'If another time works better for you, just reply to this email.',
      '{{signature}}',
    ),
  },
  'session-changed': {
    name: 'Session moved',
    group: 'Sales',
    record: 'lead',
    byProduct: true,
    variables: session,
    needs: ['time'],
    subject: '{{product}}: {{session}} moved to {{time}}',
    content: p(
      'Hello {{name}},',
      'Your {{session}} was moved to {{time}}. The attached file updates it in your calendar.',
      'If another time works better for you, just reply to this email.',
      '{{signature}}',
    ),
  },
  'session-canceled': {
    name: 'Session canceled',
    group: 'Sales',
    record: 'lead',
    byProduct: true,
    variables: session,
    needs: ['time'],
    subject: '{{product}}: {{session}} on {{time}} canceled',
    content: p(
      'Hello {{name}},',
      'Your {{session}} on {{time}} was canceled. The attached file removes it from your calendar.',
      '{{signature}}',
    ),
  },
  'meeting-link': {
    name: 'Meeting link',
    group: 'Sales',
    record: 'onboarding',
    byProduct: true,
    variables: {
      ...person,
      ...product,
      organization: { label: 'The organization' },
      stage: { label: 'The stage of the onboarding' },
      details: { label: 'Time, meeting link, passcode, and attachment', block: true },
    },
    needs: ['details'],
    subject: '{{product}} for {{organization}}: {{stage}}',
    content: p(
      'Hello,',
      'Here are the details for our meeting on “{{stage}}”.',
      '{{details}}',
      '{{signature}}',
    ),
  },
  'set-credentials': {
    name: 'Credentials',
    group: 'Accounts',
    record: 'onboarding',
    byProduct: true,
    variables: {
      ...person,
      ...product,
      organization: { label: 'The organization' },
      how_to: { label: 'Where to set the password' },
    },
    needs: ['how_to'],
    subject: 'Your account for {{organization}}',
    content: p(
      'Hello,',
      'Your account for {{organization}} is ready. {{how_to}}',
      'We’ll never ask for your password by email.',
      '{{signature}}',
    ),
  },
  invitation: {
    name: 'Invitation',
    group: 'Accounts',
    record: 'own account',
    byProduct: false,
    variables: { ...account, username: { label: 'The username' } },
    needs: ['link'],
    subject: 'You’re invited to the admin panel',
    content: p(
      'Hello {{first_name}},',
      'You’ve been invited to the admin panel. Your username is {{username}}.',
      'Use this link to set your password. It works once and expires in 48 hours:',
      '{{link}}',
    ),
  },
  'forgotten-password': {
    name: 'Password reset',
    group: 'Accounts',
    record: 'own account',
    byProduct: false,
    variables: { ...account, username: { label: 'The username' } },
    needs: ['link'],
    subject: 'Reset your admin panel password',
    content: p(
      'Hello {{first_name}},',
      'We received a request to reset your password. If you didn’t make it, you can ignore this email.',
      'Use this link to set your password. It works once and expires in 48 hours:',
      '{{link}}',
    ),
  },
  'confirm-address': {
    name: 'Own address',
    group: 'Accounts',
    record: 'own account',
    byProduct: false,
    variables: { ...account, address: { label: 'The address to confirm' } },
    needs: ['link'],
    subject: 'Confirm your address',
    content: p(
      'Hello {{first_name}},',
      'Use this link to send emails from {{address}}. It expires in 48 hours:',
      '{{link}}',
      'If you didn’t ask for it, you can ignore this email.',
    ),
  },
  announcement: {
    name: 'Announcement',
    group: 'Mailings',
    record: 'post',
    byProduct: true,
    variables: {
      ...product,
      title: { label: 'The title' },
      facts: { label: 'Time and place of an event', block: true },
      excerpt: { label: 'The excerpt', block: true },
      body: { label: 'The text', block: true },
    },
    needs: ['body'],
    subject: '{{title}}',
    content: `<h1>{{title}}</h1>${p('{{facts}}', '{{excerpt}}', '{{body}}')}`,
  },
  notification: {
    name: 'Notification',
    group: 'Mailings',
    record: 'notification',
    byProduct: false,
    variables: {
      subject: { label: 'The subject of the notification' },
      greeting: { label: 'The greeting, unless the text has one', block: true },
      message: { label: 'The text', block: true },
    },
    needs: ['message'],
    subject: '{{subject}}',
    content: p('{{greeting}}', '{{message}}'),
  },
  mailing: {
    name: 'Email to users',
    group: 'Mailings',
    record: 'customer_user',
    byProduct: true,
    variables: {
      ...person,
      ...product,
      subject: { label: 'The subject of the email' },
      greeting: { label: 'The greeting, unless the text has one', block: true },
      message: { label: 'The text', block: true },
    },
    needs: ['message'],
    subject: '{{subject}}',
    content: p('{{greeting}}', '{{message}}'),
  },
  mention: {
    name: 'Mention',
    group: 'Staff',
    record: 'own account',
    byProduct: false,
    variables: {
      my_name: { label: 'The author’s name' },
      title: { label: 'Name of the record' },
      text: { label: 'The text that mentions the person' },
      link: { label: 'The link to the record' },
    },
    needs: ['text'],
    subject: '{{my_name}} mentioned you: {{title}}',
    content: p('{{my_name}} mentioned you in “{{title}}”: {{text}}', '{{link}}'),
  },
  assigned: {
    name: 'Assignment',
    group: 'Staff',
    record: 'own account',
    byProduct: false,
    variables: {
      who: { label: 'The person, rule, or web form that assigned it' },
      what: { label: 'The assigned records, such as 3 leads' },
      links: { label: 'The first ten records, with links', block: true },
    },
    needs: ['links'],
    subject: '{{who}} assigned {{what}} to you',
    content: p('{{who}} assigned {{what}} to you:', '{{links}}'),
  },
  'progress-reminder': {
    name: 'Missing hours',
    group: 'Staff',
    record: 'own account',
    byProduct: false,
    variables: {
      my_name: { label: 'The sender’s name' },
      first_name: { label: 'The person’s first name' },
      days: { label: 'The days without hours' },
    },
    needs: ['days'],
    subject: 'Your progress report is missing hours',
    content: p(
      'Hello {{first_name}},',
      '{{my_name}} asked you to report your hours for these days:',
      '{{days}}',
    ),
  },
  composer: {
    name: 'Composer template',
    group: 'Composer',
    record: 'lead',
    byProduct: true,
    variables: {
      ...person,
      ...product,
      name: { label: 'The recipient’s name' },
    },
    needs: [],
    subject: 'A word from {{product}}',
    content: p('Hello {{name}},', '', '{{signature}}'),
  },
} as const satisfies Record<string, TemplateKind>

export type TemplateName = keyof typeof templateKinds
export type TemplateVariable<Kind extends TemplateName> = keyof (typeof templateKinds)[Kind]['variables']
export const templateNames = Object.keys(templateKinds) as [TemplateName, ...TemplateName[]]
export const kindOfTemplate = (name: TemplateName): TemplateKind => templateKinds[name]
