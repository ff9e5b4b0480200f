import { z } from 'zod'
import { adminsOnly, endpoint } from '#shared/endpoint.ts'
import { instant, messageReply, recordId, requiredText, wholeNumber } from '#shared/schemas.ts'
import {
  CustomField,
  customFieldTypeNames,
  hasChoices,
  longestName,
  mostChoices,
  mostCustomFields,
} from '#features/crm/leads/custom-fields.rules.ts'

const name = requiredText(longestName)
const choices = z
  .array(z.object({ id: recordId.optional(), name }))
  .max(mostChoices, `Enter at most ${mostChoices} choices.`)
  .refine(
    (list) => new Set(list.map((one) => one.name.toLowerCase())).size === list.length,
    'Enter each choice only once.',
  )

/** A new field. Its type can’t be changed later. */
export const CustomFieldInput = z
  .object({
    name,
    type: z.enum(customFieldTypeNames, 'Choose one of the types.'),
    choices: choices.default([]),
  })
  .refine((field) => !hasChoices(field.type) || field.choices.length > 0, {
    path: ['choices'],
    error: 'Enter at least one choice.',
  })
export type CustomFieldInput = z.output<typeof CustomFieldInput>

const StoredCustomField = CustomField.extend({
  version: z.number().int(),
  /** How many leads have a value. */
  filled: z.number().int(),
  deleted_at: instant.nullable(),
  /** When the values of a deleted field are removed; null if it isn’t deleted. */
  kept_until: instant.nullable(),
})
export type StoredCustomField = z.output<typeof StoredCustomField>

const Stored = z.object({
  /** In their order, those that are deleted and can be restored last. */
  data: z.array(StoredCustomField),
  /** How many leads the product has. */
  leads: z.number().int(),
})
const Changed = messageReply.extend(Stored.shape)

const product = ['params.product_id'] as const
const ofProduct = z.object({ product_id: recordId })
const ofField = z.object({ product_id: recordId, id: recordId })
const path = '/admin/settings/custom-fields/{product_id}'

export const customFields = {
  show: endpoint({
    method: 'GET',
    path,
    shows: ['lists'],
    summary: 'List the custom fields of a product’s leads, those deleted in the last 30 days included.',
    access: adminsOnly,
    product,
    params: ofProduct,
    response: Stored,
  }),
  add: endpoint({
    method: 'POST',
    path,
    summary: `Add a custom field to the leads of a product, which can have ${mostCustomFields}.`,
    act: 'Added a custom field',
    access: adminsOnly,
    product,
    params: ofProduct,
    body: CustomFieldInput,
    response: Changed,
  }),
  order: endpoint({
    method: 'POST',
    path: `${path}/order`,
    summary: 'Reorder the custom fields of a product. Returns 409 with the fields if they have changed.',
    act: 'Reordered custom fields',
    access: adminsOnly,
    product,
    params: ofProduct,
    body: z.object({ ids: z.array(recordId).min(1).max(mostCustomFields) }),
    response: Changed,
  }),
  change: endpoint({
    method: 'POST',
    path: `${path}/{id}`,
    summary:
      'Change the name and the choices of a custom field. Leads keep a choice that is left out, but no other lead can get it. Returns 409 with the fields if the version is out of date.',
    act: 'Edited a custom field',
    access: adminsOnly,
    product,
    params: ofField,
    body: z.object({ name, choices: choices.optional(), version: wholeNumber(1, 2_147_483_647) }),
    response: Changed,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete a custom field. Its values are kept for 30 days, in which it can be restored.',
    act: 'Deleted a custom field',
    access: adminsOnly,
    product,
    params: ofField,
    response: Changed,
  }),
  restore: endpoint({
    method: 'POST',
    path: `${path}/{id}/restore`,
    summary: 'Restore a custom field that was deleted in the last 30 days, with its values.',
    act: 'Restored a custom field',
    access: adminsOnly,
    product,
    params: ofField,
    response: Changed,
  }),
}
