package move

import "strings"

// tracking lists parameters by which sites track readers. A star at the end stands for any text.
// The first part is from https://github.com/mpchadwick/tracking-query-params-registry (file
// _data/params.csv at 7377d3c, Unlicense), without names that also have other meanings (si, rtid,
// gQT, gPromoCode, tw_*) and without the parameters of eBay's affiliate links. The last two lines
// are from https://github.com/newhouse/url-tracking-stripper (file assets/js/trackers.js at
// 037bb51, MIT), without ref, spm, ocid, ncid and icid for the same reason.
const tracking = `
	utm_*
	fbclid igshid twclid ttclid ndclid yclid msclkid ScCid epik irclickid vmcid
	gclid gclsrc dclid gbraid wbraid gad_source srsltid _ga _gl
	mc_cid mc_eid _bta_tid _bta_c trk_contact trk_msg trk_module trk_sid _ke _kx dm_i
	gdfms gdftrk gdffi mkwid pcrid ef_id s_kwcid
	redirect_log_mongo_id redirect_mongo_id sb_referer_host
	pk_campaign pk_kwd pk_keyword piwik_campaign piwik_kwd piwik_keyword
	mtm_campaign mtm_keyword mtm_source mtm_medium mtm_content mtm_cid mtm_group mtm_placement
	matomo_campaign matomo_keyword matomo_source matomo_medium matomo_content matomo_cid matomo_group
	matomo_placement
	hsa_cam hsa_grp hsa_mt hsa_src hsa_ad hsa_acc hsa_net hsa_kw hsa_tgt hsa_ver
	_branch_match_id sms_source sms_click sms_uph
	_hsenc _hsmi mkt_tok ns_source ns_mchannel ns_campaign ns_linkname ns_fee sr_share
	vero_conv vero_id nr_email_referer`

// isTracking reports whether tracking lists the name of a parameter.
func isTracking(name string) bool {
	if name == "" {
		return false
	}
	for listed := range strings.FieldsSeq(tracking) {
		prefix, hasStar := strings.CutSuffix(listed, "*")
		if name == listed || hasStar && strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// Strip returns an http or https URL without its tracking parameters. It also removes a question
// mark after which no parameter is left. All other bytes stay as they are. Any reference that is
// not an http or https URL is returned unchanged. Strip does not depend on StripTracking.
func (m *Map) Strip(url string) string {
	before, fragment := url, ""
	if n := strings.IndexByte(url, '#'); n >= 0 {
		before, fragment = url[:n], url[n:]
	}
	path, query, ok := strings.Cut(before, "?")
	if !ok || !isWeb(path) {
		return url
	}
	rest := withoutParameters(query, isTracking)
	switch {
	case rest == query:
		return url
	case rest == "":
		return path + fragment
	}
	return path + "?" + rest + fragment
}

// isWeb reports whether a reference begins like an http or https URL.
func isWeb(ref string) bool {
	scheme, _, ok := strings.Cut(strings.TrimLeft(ref, "\t\n\f\r "), "://")
	return ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// withoutParameters returns a query without each parameter whose name drop accepts. If there is no
// such parameter, it returns the query unchanged.
func withoutParameters(query string, drop func(name string) bool) string {
	var kept []string
	dropped := false
	for text := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(text, "=")
		if drop(name) {
			dropped = true
			continue
		}
		kept = append(kept, text)
	}
	if !dropped {
		return query
	}
	return strings.Join(kept, "&")
}
