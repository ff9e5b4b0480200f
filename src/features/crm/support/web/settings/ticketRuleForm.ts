import type { StoredTicketRules } from '#features/crm/support/ticket-rules.contract.ts'

/** A ticket rule as it is entered: IDs as text, empty for any or for no change. */
export interface TicketRuleInput {
  id: number | null
  is_on: boolean
  words: string[]
  /** `1` if the words can be in the first message. */
  in_message: string
  senders: string[]
  category: string
  organization_id: string
  new_category: string
  new_priority: string
  new_assignee_id: string
  tag_ids: string[]
  mark_spam: boolean
}
export interface TicketRuleValues {
  rules: TicketRuleInput[]
}

export const newTicketRule: TicketRuleInput = {
  id: null,
  is_on: true,
  words: [],
  in_message: '',
  senders: [],
  category: '',
  organization_id: '',
  new_category: '',
  new_priority: '',
  new_assignee_id: '',
  tag_ids: [],
  mark_spam: false,
}

const shown = (value: number | null) => String(value ?? '')

export const valuesOfTicketRules = ({ rules }: StoredTicketRules): TicketRuleValues => ({
  rules: rules.map((rule) => ({
    ...rule,
    in_message: rule.in_message ? '1' : '',
    category: shown(rule.category),
    organization_id: shown(rule.organization_id),
    new_category: shown(rule.new_category),
    new_priority: shown(rule.new_priority),
    new_assignee_id: shown(rule.new_assignee_id),
    tag_ids: rule.tag_ids.map(String),
  })),
})

const orNull = (text: string) => (text === '' ? null : Number(text))

export const ticketRulesToSend = ({ rules }: TicketRuleValues) => ({
  rules: rules.map((rule) => ({
    ...rule,
    in_message: rule.in_message === '1',
    category: orNull(rule.category),
    organization_id: orNull(rule.organization_id),
    new_category: orNull(rule.new_category),
    new_priority: orNull(rule.new_priority),
    new_assignee_id: orNull(rule.new_assignee_id),
    tag_ids: rule.tag_ids.map(Number),
  })),
})
