/**
 * Fields of service messages: what Telegram's apps tell in grey between the messages. Nobody says them to the bot.
 * https://core.telegram.org/bots/api#message
 */
const SERVICE =
  /^(?:new_chat_(?:title|photo)|delete_chat_photo|(?:group|supergroup|channel)_chat_created|message_auto_delete_timer_changed|pinned_message|(?:general_)?forum_topic_\w+|video_chat_\w+|boost_added|chat_background_set|chat_shared|users_shared|write_access_allowed|connected_website|proximity_alert_triggered|successful_payment|refunded_payment|giveaway_(?:created|completed)|web_app_data|community_chat_\w+|managed_bot_created|poll_option_(?:added|deleted)|passport_data|checklist_tasks_\w+|direct_message_price_changed|paid_message_price_changed|chat_owner_\w+|unique_gift|gift\w*|suggested_post_(?:approved|approval_failed|declined|paid|refunded))$/;

export const isService = (message: object): boolean => Object.keys(message).some((key) => SERVICE.test(key));
