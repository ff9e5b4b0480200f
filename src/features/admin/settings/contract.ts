import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { oneOf, recordId, requiredText, text, webAddressOrEmpty, wholeNumber } from '#shared/schemas.ts'

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
  /** Whether a reply to an unassigned ticket assigns it to its author. */
  reply_assigns: z.boolean(),
  /** Whether a customer’s new ticket is confirmed by an email with its number. */
  confirms_tickets: z.boolean(),
  /** Whether a reply that resolves a ticket asks the customer how satisfied they are. */
  asks_rating: z.boolean(),
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
  reply_assigns: z.boolean().optional(),
  confirms_tickets: z.boolean().optional(),
  asks_rating: z.boolean().optional(),
  copyright: text(200).optional(),
})
export type SettingsChange = z.output<typeof SettingsChange>

export const panelSettings = {
  show: endpoint({
    method: 'GET',
    path: '/admin/settings',
    shows: ['settings'],
    summary: 'Get the panel settings: products, trial, reminders, working hours, and copyright.',
    access: 'admin_portal_list',
    response: z.object({
      data: PanelSettings,
      /** What makes the panel less safe than it can be, by its environment. */
      warnings: z.array(z.string()),
    }),
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
}
