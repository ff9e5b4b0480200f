import { z } from 'zod'
import { adminsOnly, endpoint } from '#shared/endpoint.ts'
import { isPermission } from '#shared/access.ts'
import { codeUpTo, oneOf, recordId, requiredText, text, webAddressOrEmpty, wholeNumber } from '#shared/fields.ts'

const permission = z
  .string()
  .refine(isPermission, 'There is no such permission.')
  .transform((name) => name)

export const RoleGrants = z.object({ id: z.number().int(), name: z.string(), people: z.number().int(), permissions: z.array(z.string()) })
export type RoleGrants = z.output<typeof RoleGrants>

export const roleSettings = {
  list: endpoint({
    method: 'GET',
    path: '/admin/roles',
    summary: 'The 14 roles with what each may do.',
    access: adminsOnly,
    response: z.object({ data: z.array(RoleGrants) }),
  }),
  change: endpoint({
    method: 'POST',
    path: '/admin/roles/change-permissions',
    summary: 'Grants and revokes permissions of one role, effective on the next request of anybody who has it.',
    act: 'Changed permissions',
    access: adminsOnly,
    body: z.object({
      role_id: codeUpTo(13, 'There is no such role.'),
      grant: z.array(permission).max(200).default([]),
      revoke: z.array(permission).max(200).default([]),
    }),
    response: z.object({ message: z.string(), data: RoleGrants }),
  }),
}

const ProductSetting = z.object({ id: z.number().int(), slug: z.string(), name: z.string(), status: z.number().int(), credentials_url: z.string() })
export type ProductSetting = z.output<typeof ProductSetting>
const clock = text(5).regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'This is not a time (HH:MM).')
const WorkingHours = z
  .object({ start: clock, end: clock })
  .refine(({ start, end }) => start < end, { path: ['end'], message: 'The end comes after the beginning.' })

export const PanelSettings = z.object({
  products: z.array(ProductSetting),
  /** In days. */
  trial_days: z.number().int(),
  /** Days before the end of a trial on which the assignee is reminded. */
  reminder_days: z.array(z.number().int()),
  working_hours: z.object({ start: z.string(), end: z.string() }),
  /** Footer text; empty: year and provider. */
  copyright: z.string(),
})
export type PanelSettings = z.output<typeof PanelSettings>

export const SettingsChange = z.object({
  products: z
    .array(
      z.object({
        id: recordId,
        name: requiredText(60).optional(),
        status: oneOf(0, 1).optional(),
        credentials_url: webAddressOrEmpty.optional(),
      }),
    )
    .max(4)
    .optional(),
  trial_days: wholeNumber(1, 365).optional(),
  reminder_days: z.array(wholeNumber(0, 90)).min(1, 'Choose at least one day.').max(10).optional(),
  working_hours: WorkingHours.optional(),
  copyright: text(200).optional(),
})
export type SettingsChange = z.output<typeof SettingsChange>

const WidgetSetting = z.object({ product_id: z.number().int(), name: z.string(), url: z.string(), on: z.boolean() })
export type WidgetSetting = z.output<typeof WidgetSetting>
export const WidgetChange = z
  .object({
    product_id: recordId,
    url: webAddressOrEmpty.refine((value) => value === '' || /^https:\/\//i.test(value), 'This address must begin with https://.'),
    on: z.boolean('This must be true or false.'),
  })
  .refine(({ url, on }) => !on || url !== '', { path: ['url'], message: 'What is on needs an address.' })

export const panelSettings = {
  show: endpoint({
    method: 'GET',
    path: '/admin/settings',
    summary: 'What is set of the panel: products, trial, reminders, working hours, copyright.',
    access: 'admin_portal_list',
    response: z.object({ data: PanelSettings }),
  }),
  change: endpoint({
    method: 'POST',
    path: '/admin/settings',
    summary: 'Changes the settings that are sent; open tabs follow at once.',
    act: 'Changed the settings',
    access: 'admin_portal_list',
    body: SettingsChange,
    response: z.object({ message: z.string(), data: PanelSettings }),
  }),
  offered: endpoint({
    method: 'GET',
    path: '/admin/settings/offered',
    summary: "What pages take from the settings: working hours, and the scheduling pages of the caller's products that are on.",
    access: 'signed-in',
    response: z.object({
      data: z.object({
        working_hours: z.object({ start: z.string(), end: z.string() }),
        widgets: z.array(z.object({ product_id: z.number().int(), name: z.string(), url: z.string() })),
      }),
    }),
  }),
  widgets: endpoint({
    method: 'GET',
    path: '/admin/calendly-widget',
    summary: "The scheduling widgets of the caller's products.",
    access: 'calendly_widget_list',
    response: z.object({ data: z.array(WidgetSetting) }),
  }),
  changeWidget: endpoint({
    method: 'POST',
    path: '/admin/calendly-widget',
    summary: 'Sets the address of the scheduling widget of a product, and whether it is on; pages may then show its origin in a frame.',
    act: 'Changed the scheduling widget',
    access: 'calendly_widget_list',
    product: ['body.product_id'],
    body: WidgetChange,
    response: z.object({ message: z.string(), data: z.array(WidgetSetting) }),
  }),
}
