import { z } from 'zod'
import { adminsOnly, endpoint } from '#shared/endpoint.ts'
import { isPermission } from '#shared/access.ts'
import {
  codeUpTo,
  oneOf,
  recordId,
  requiredText,
  text,
  webAddressOrEmpty,
  wholeNumber,
} from '#shared/schemas.ts'

const permission = z
  .string()
  .refine(isPermission, 'This permission doesn’t exist.')
  .transform((name) => name)

export const RoleGrants = z.object({
  id: z.number().int(),
  name: z.string(),
  people: z.number().int(),
  permissions: z.array(z.string()),
})
export type RoleGrants = z.output<typeof RoleGrants>

export const roleSettings = {
  list: endpoint({
    method: 'GET',
    path: '/admin/roles',
    summary: 'List the 14 roles and their permissions.',
    access: adminsOnly,
    response: z.object({ data: z.array(RoleGrants) }),
  }),
  change: endpoint({
    method: 'POST',
    path: '/admin/roles/change-permissions',
    summary:
      'Grant or revoke a role’s permissions. Takes effect on the next request by anyone with the role.',
    act: 'Changed permissions',
    access: adminsOnly,
    body: z.object({
      role_id: codeUpTo(13, 'This role doesn’t exist.'),
      grant: z.array(permission).max(200).default([]),
      revoke: z.array(permission).max(200).default([]),
    }),
    response: z.object({ message: z.string(), data: RoleGrants }),
  }),
}

const ProductSetting = z.object({
  id: z.number().int(),
  slug: z.string(),
  name: z.string(),
  status: z.number().int(),
  credentials_url: z.string(),
  /** Where posts are published; a post's slug is added to it. */
  posts_url: z.string(),
})
export type ProductSetting = z.output<typeof ProductSetting>
const clock = text(5).regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time as HH:MM.')
const WorkingHours = z.object({ start: clock, end: clock }).refine(({ start, end }) => start < end, {
  path: ['end'],
  message: 'Enter an end time after the start time.',
})

export const PanelSettings = z.object({
  products: z.array(ProductSetting),
  /** In days. */
  trial_days: z.number().int(),
  /** When the assignee is reminded that a trial is ending, in days before its end. */
  reminder_days: z.array(z.number().int()),
  working_hours: z.object({ start: z.string(), end: z.string() }),
  /** Footer text; if empty, the year and the provider are shown. */
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
        posts_url: webAddressOrEmpty.optional(),
      }),
    )
    .max(4)
    .optional(),
  trial_days: wholeNumber(1, 365).optional(),
  reminder_days: z.array(wholeNumber(0, 90)).min(1, 'Enter at least one reminder day.').max(10).optional(),
  working_hours: WorkingHours.optional(),
  copyright: text(200).optional(),
})
export type SettingsChange = z.output<typeof SettingsChange>

const WidgetSetting = z.object({
  product_id: z.number().int(),
  name: z.string(),
  url: z.string(),
  on: z.boolean(),
})
export type WidgetSetting = z.output<typeof WidgetSetting>
export const WidgetChange = z
  .object({
    product_id: recordId,
    url: webAddressOrEmpty.refine(
      (value) => value === '' || /^https:\/\//i.test(value),
      'Enter a URL that starts with https://.',
    ),
    on: z.boolean('This must be true or false.'),
  })
  .refine(({ url, on }) => !on || url !== '', {
    path: ['url'],
    message: 'Enter a URL to turn the widget on.',
  })

export const panelSettings = {
  show: endpoint({
    method: 'GET',
    path: '/admin/settings',
    summary: 'Get the panel settings: products, trial, reminders, working hours, and copyright.',
    access: 'admin_portal_list',
    response: z.object({ data: PanelSettings }),
  }),
  change: endpoint({
    method: 'POST',
    path: '/admin/settings',
    summary: 'Update the given settings. Open tabs update immediately.',
    act: 'Changed settings',
    access: 'admin_portal_list',
    body: SettingsChange,
    response: z.object({ message: z.string(), data: PanelSettings }),
  }),
  offered: endpoint({
    method: 'GET',
    path: '/admin/settings/offered',
    summary:
      'Get the settings pages need: working hours and the active scheduling widgets of the caller’s products.',
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
    summary: 'List the scheduling widgets of the caller’s products.',
    access: 'calendly_widget_list',
    response: z.object({ data: z.array(WidgetSetting) }),
  }),
  changeWidget: endpoint({
    method: 'POST',
    path: '/admin/calendly-widget',
    summary:
      'Set a product’s scheduling widget URL and turn the widget on or off. Pages can then embed its origin in a frame.',
    act: 'Changed scheduling widget',
    access: 'calendly_widget_list',
    product: ['body.product_id'],
    body: WidgetChange,
    response: z.object({ message: z.string(), data: z.array(WidgetSetting) }),
  }),
}
