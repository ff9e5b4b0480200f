import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { recordId, webAddressOrEmpty } from '#shared/schemas.ts'

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

export const widgets = {
  list: endpoint({
    method: 'GET',
    path: '/admin/calendly-widget',
    shows: ['settings'],
    summary: 'List the scheduling widgets of the caller’s products.',
    access: 'calendly_widget_list',
    response: z.object({ data: z.array(WidgetSetting) }),
  }),
  change: endpoint({
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
