import type { StoredRules } from '#features/crm/support/assignment-rules.contract.ts'

/** A rule as it is chosen: IDs as text, empty for any. */
export interface RuleInput {
  id: number | null
  category: string
  organization_id: string
  staff_ids: string[]
}
export interface RuleValues {
  rules: RuleInput[]
}

export const newRule: RuleInput = { id: null, category: '', organization_id: '', staff_ids: [] }

export const valuesOfRules = ({ rules }: StoredRules): RuleValues => ({
  rules: rules.map(({ id, category, organization_id, staff_ids }) => ({
    id,
    category: String(category ?? ''),
    organization_id: String(organization_id ?? ''),
    staff_ids: staff_ids.map(String),
  })),
})

const orNull = (text: string) => (text === '' ? null : Number(text))

export const rulesToSend = ({ rules }: RuleValues) => ({
  rules: rules.map(({ id, category, organization_id, staff_ids }) => ({
    id,
    category: orNull(category),
    organization_id: orNull(organization_id),
    staff_ids: staff_ids.map(Number),
  })),
})
