//! wrangler.
