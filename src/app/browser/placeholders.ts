/** Addresses of the specification whose area is not built yet: each shows one page that says so (docs/spec-gaps.md). */
export const placeholders: Readonly<Record<string, readonly (readonly [path: string, name: string])[]>> = {
  Notifications: [
    ['/notifications', 'Notifications'],
    ['/notifications/new', 'Send a notification'],
    ['/notifications/update-notification/$notification', 'Update a notification'],
  ],
  Support: [
    ['/support', 'Support tickets'],
    ['/support/generate', 'Generate a ticket'],
    ['/support/ticket/$ticket/$org_id', 'Ticket'],
    ['/support-requests', 'Support requests'],
    ['/support-requests/create', 'New support request'],
    ['/support-requests/request/$request/$org_id', 'Support request'],
  ],
  FAQ: [
    ['/faqcategories', 'FAQ categories'],
    ['/faqcategories/$category/posts', 'FAQs of a category'],
    ['/faqs', 'FAQs'],
    ['/faqs/new-faq', 'New FAQ'],
    ['/faqs/update-faq/$FAQ', 'Edit FAQ'],
    ['/faqs/$FAQ', 'FAQ'],
  ],
  'Case studies': [
    ['/case-study', 'Case studies'],
    ['/case-study/create', 'New Case study'],
    ['/case-study/edit/$slug', 'Edit Case study'],
    ['/case-study/$slug', 'Case study'],
  ],
  'User guides': [
    ['/user-guide', 'User guides'],
    ['/user-guide/create', 'New User guide'],
    ['/user-guide/edit/$slug', 'Edit User guide'],
    ['/user-guide/$slug', 'User guide'],
  ],
  Events: [
    ['/event', 'Events'],
    ['/event/create', 'New Event'],
    ['/event/edit/$slug', 'Edit Event'],
    ['/event/$slug', 'Event'],
  ],
  Brochures: [
    ['/brochure', 'Brochures'],
    ['/brochure/create', 'New Brochure'],
    ['/brochure/edit/$slug', 'Edit Brochure'],
    ['/brochure/$slug', 'Brochure'],
  ],
  Webinars: [
    ['/webinar', 'Webinars'],
    ['/webinar/create', 'New Webinar'],
    ['/webinar/edit/$slug', 'Edit Webinar'],
    ['/webinar/$slug', 'Webinar'],
  ],
  'Terms & conditions': [
    ['/term&conditions', 'Terms & conditions'],
    ['/term&conditions/new-terms', 'New terms'],
    ['/term&conditions/$term', 'Terms'],
  ],
}
