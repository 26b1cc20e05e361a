// Written by Scripts/timezones.py; do not edit. Its form: TimeZoneDecoder.swift.

/// The time zones of the IANA data base, as far as they matter from 1970 on.
enum TimeZoneTable {
    /// The version of the data.
    static let version = "2026f"

    /// 307 zones under 598 names.
    static let text = #"""
        Africa/Abidjan Africa/Accra Africa/Bamako Africa/Banjul Africa/Conakry Africa/Dakar
        Africa/Freetown Africa/Lome Africa/Nouakchott Africa/Ouagadougou Africa/Timbuktu
        Atlantic/Reykjavik Atlantic/St_Helena Etc/GMT Etc/GMT+0 Etc/GMT-0 Etc/GMT0 Etc/Greenwich
        Etc/UCT Etc/UTC Etc/Universal Etc/Zulu Factory GMT GMT+0 GMT-0 GMT0 Greenwich Iceland UCT UTC
        Universal Zulu =
        10000!
        Africa/Addis_Ababa Africa/Asmara Africa/Asmera Africa/Dar_es_Salaam Africa/Djibouti
        Africa/Kampala Africa/Mogadishu Africa/Nairobi Antarctica/Syowa Asia/Aden Asia/Kuwait
        Asia/Riyadh Etc/GMT-3 Indian/Antananarivo Indian/Comoro Indian/Mayotte =
        1`F000!
        Africa/Algiers =
        30`7P?09XlUZ11PTa=0hSPd51PdYL2hoo?1`nQS10hoo?1hec@0Xho?10!
        Africa/Bangui Africa/Brazzaville Africa/Douala Africa/Kinshasa Africa/Lagos Africa/Libreville
        Africa/Luanda Africa/Malabo Africa/Niamey Africa/Porto-Novo Etc/GMT-1 =
        1`7000!
        Africa/Bissau =
        2_7001hg_P510!
        Africa/Blantyre Africa/Bujumbura Africa/Gaborone Africa/Harare Africa/Johannesburg
        Africa/Kigali Africa/Lubumbashi Africa/Lusaka Africa/Maputo Africa/Maseru Africa/Mbabane
        Etc/GMT-2 =
        1P?000!
        Africa/Cairo Egypt =
        2P?`F0i2X\a:1h]^=0XTdB1h]^=0XnfB1h]^=0XTdB1h]^=0XTdB1h]^=0XTdB1h]^=0XnfB1h]^=0XTdB1h]^=0
        XTdB1h]^=0XTdB1h]^=0XnfB1h]^=0XTdB1h]^=0XVSJ1h[o50XdnH1hmS70XnfB1h]^=0XTdB1h]^=0XTdB1h]^
        =0XTdB1h]^=0XnfB1h]^=0XVRC1h[P=0XTdB1h]^=0XTdB1h]^=0XnfB1h]^=0XTdB1h]^=0XTdB1h]^=0`b[B1X
        Pa=0hg^B1XPa=0hg^B1XPa=0hg^B1XPa=0h]RC1XPa=0hg^B1XPa=0hg^B1XPa=0hg^B1XPa=0hg^B1XPa=0h]RC
        1XPa=0hg^B1XPa=0hg^B1XZm<0h]RC1Xne;0hiYD1XXR;0h_mD1Xb^:0hkTF1XbQ90h_d21Xnj10hQYd31XPf30h
        aR31X\m40hSdc811P?`F4550:54Pd5!
        Africa/Casablanca =
        20`70n1P^f_41XnQ60hS^e11XdR80hmoG1XhU=0hocE1Xlc50haXd51Xldi10hQb_F1XdR80hmoG1XfS70h_ZF1X
        `c80h_mD1Xb^:0XUPH1PdV70PVg21PZc30Pd^B1PlT60Pdo21P\k60PTa=1PTm70P^R31PR_70PTa=1Pbh60P^R3
        1Pdc80PTa=1PlT60P^R31PPk90P^m<1P`m40PTf31Pf^:0P^m<1PjY40P^R31PdYL0P^R31PneK0PTf31PneK0P^
        R31PneK0PTf31PneK0P^R31PdYL0P^R31PneK0PTf31PneK0P^R31Xho?00!
        Africa/Ceuta =
        30`7P?0NP^f_41XnQ60hS^e11XdR80hmoG1XhU=0hocE1Xlc50haXd51hc\Q22Plo?1Plo?2Plo?1Plo?2Plo?1P
        lo?2Plo?1Plo?2Pbc@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Pbc@21`7P?350P?:50`
        F!
        Africa/El_Aaiun =
        3_70`70k1hifY61Xf_12XdR81hmoG2XhU=1hocE2Xlc51h__mM2XdR81hmoG2XfS71h_ZF2X`c81h_mD2Xb^:1XU
        PH2PdV71PVg22PZc31Pd^B2PlT61Pdo22P\k61PTa=2PTm71P^R32PR_71PTa=2Pbh61P^R32Pdc81PTa=2PlT61
        P^R32PPk91P^m<2P`m41PTf32Pf^:1P^m<2PjY41P^R32PdYL1P^R32PneK1PTf32PneK1P^R32PneK1PTf32Pne
        K1P^R32PdYL1P^R32PneK1PTf32PneK1P^R32Xho?10!
        Africa/Juba =
        2P?`F0R1`Xa:1Xbe>0hUZA1X\h>0ho\A1X\h>0h[WA1XVk>0haTA1XPn>0hgQA1XjP?0hmn@1X^V?0hYi@1XXY?0
        hUZA1X\h>0h[WA1XVk>0haTA1XjP?0hmn@1XdS?0hSl@1X^V?0hYi@1XXY?0hUZA1XVk>0haTA1XPn>0hb`Y>1Xo
        dSE00!
        Africa/Khartoum =
        2P?`F0R1`Xa:1Xbe>0hUZA1X\h>0ho\A1X\h>0h[WA1XVk>0haTA1XPn>0hgQA1XjP?0hmn@1X^V?0hYi@1XXY?0
        hUZA1X\h>0h[WA1XVk>0haTA1XjP?0hmn@1XdS?0hSl@1X^V?0hYi@1XXY?0hUZA1XVk>0haTA1XPn>0hb`Y>1Xg
        WkA00!
        Africa/Monrovia =
        2a5001iRfP210!
        Africa/Ndjamena =
        2`7P?02XnPj91X`j<00!
        Africa/Sao_Tome =
        20`702hklT`11PbRP100!
        Africa/Tripoli Libya =
        2`7P?1F`nVQ<0hWm71XbR@0hoo?1XbR@0hiR@1XbR@0hQ^@1X`d?0h]X@1Xho?0h[j?1XbR@0hiR@1XbR@0hoo?1
        XbR@0hilB1Xng]60hW[@1hald?0PnV<10!
        Africa/Tunis =
        2`7P?0BXTV[71P^m<0PnWC1PZ^=0PnZf91PXV:0Plo?1Plo?0PnWC1P`[=0PVVd>1hc[=0hma?1PZRC0P^m<1PZR
        C0PTa=1Pd^B00!
        Africa/Windhoek =
        2`7P?1`1`Z\YH0XQf>1X`^B0hWa=1XVRC0ham<1XVRC0hWa=1X`^B0hWa=1X`^B0hWa=1X`^B0hWa=1X`^B0hWa=
        1XVRC0ham<1XVRC0hWa=1X`^B0hWa=1X`^B0hWa=1X`^B0hWa=1X`^B0hWa=1XVRC0hWa=1X`^B0hWa=1X`^B0hW
        a=1X`^B0hWa=1X`^B0hWa=1XVRC0ham<1XVRC0hWa=1X`^B0hWa=1X`^B0hWa=1X`^B0hWa=10!
        America/Adak America/Atka US/Aleutian =
        3_b2oZ2_S20Z2hnT:1Xho?0hoo?1X^c@0hoo?1Xho?0hoo?1Xho?0hoT61XhjI0hi^:1Xn`E0hoo?1X^c@0hY\?1
        X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1XZcP12Xho?1hoo?2Xho?1hoo?2Xh
        o?1hmT>2XjjA1hmT>2X`^B1hWa=2X`^B1hWa=2X`^B1hmT>2XjjA1hmT>2XjjA1hmT>2X`^B1hWa=2X`^B1hWa=2
        X`^B1hmT>2XjjA1hmT>2XjjA1hmT>2XjjA1hmT>2X`^B1hWa=2X`^B1hWa=2X`^B1hmT>2XjjA1hmT>2XjjA1hmT
        >2X`^B1hWa=2X`^B1hWa=2X`^B1hUf;21oZ2_S2320P?;10P?!
        America/Anchorage US/Alaska =
        3oZ2_S2ok10Z2PkT:1Xho?0hoo?1X^c@0hoo?1Xho?0hoo?1Xho?0hoT61XhjI0hi^:1Xn`E0hoo?1X^c@0hY\?1
        X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1XZcP12Xho?1hoo?2Xho?1hoo?2Xh
        o?1hmT>2XjjA1hmT>2X`^B1hWa=2X`^B1hWa=2X`^B1hmT>2XjjA1hmT>2XjjA1hmT>2X`^B1hWa=2X`^B1hWa=2
        X`^B1hmT>2XjjA1hmT>2XjjA1hmT>2XjjA1hmT>2X`^B1hWa=2X`^B1hWa=2X`^B1hmT>2XjjA1hmT>2XjjA1hmT
        >2X`^B1hWa=2X`^B1hWa=2X`^B1hUf;21_S2ok1320P?;10P?!
        America/Anguilla America/Antigua America/Aruba America/Blanc-Sablon America/Curacao
        America/Dominica America/Grenada America/Guadeloupe America/Kralendijk America/La_Paz
        America/Lower_Princes America/Marigot America/Montserrat America/Port_of_Spain
        America/Puerto_Rico America/St_Barthelemy America/St_Kitts America/St_Lucia America/St_Thomas
        America/St_Vincent America/Tortola America/Virgin Etc/GMT+4 =
        1oM000!
        America/Araguaina =
        2_Fo>0LXk[l?1Xne;0hSfC1Xlj90heWF1XVW90hkTF1XVW90hahF1Xb^:0hcSf51Xb^:0h_mD1Xne;0hc\D1X`j<
        0hSfC1Xne;0hSfC1XZm<0hSfC1Xne;0h_mD1XXR;0hahF1XVW90hYff91Xb^:00!
        America/Argentina/Buenos_Aires America/Buenos_Aires =
        2_Fo>0@XY[R41X`c80hSYd>1XXX80hSfC1XdY<0hiYD1Xne;0hiYD1Xne;0hiYD1XdY<0habk>1X^h60h]RC1XZm
        <00!
        America/Argentina/Catamarca America/Argentina/ComodRivadavia America/Catamarca =
        3oM_Fo>1@XY[R42X`c81hSYd>2XXX81hSfC2XdY<1hiYD2Xne;0`mYD2`je;1hiYD2XdY<1hcfX;0hae11X\Va32
        X^h610!
        America/Argentina/Cordoba America/Cordoba America/Rosario =
        3oM_Fo>1@XY[R42X`c81hSYd>2XXX81hSfC2XdY<1hiYD2Xne;0`mYD2`je;1hiYD2XdY<1habk>2X^h61h]RC2X
        Zm<10!
        America/Argentina/Jujuy America/Jujuy =
        3oM_Fo>1>XY[R42X`c81hSYd>2XXX81hSfC2XdY<0`cmD1XdY<0hQkA2`Vm<1hiYD2XdY<1habk>2X^h610!
        America/Argentina/La_Rioja =
        3oM_Fo>1AXY[R42X`c81hSYd>2XXX81hSfC2XdY<1hiYD2XZ`;0`el51Xhb>2Xne;1hiYD2XdY<1hcfX;0hae11X
        \Va32X^h610!
        America/Argentina/Mendoza America/Mendoza =
        3oM_Fo>1@XY[R42X`c81hSYd>2XXX81hSfC2XdY<0`QiC1XVQ<0h[QD1XPT<0hiYD2``Y<1hYmW;0h_R;1XhbX32
        X^h610!
        America/Argentina/Rio_Gallegos =
        3oM_Fo>1@XY[R42X`c81hSYd>2XXX81hSfC2XdY<1hiYD2Xne;1hiYD2Xne;1hiYD2XdY<1hcfX;0hae11X\Va32
        X^h610!
        America/Argentina/Salta =
        3oM_Fo>1>XY[R42X`c81hSYd>2XXX81hSfC2XdY<1hiYD2Xne;0`mYD2`je;1hiYD2XdY<1habk>2X^h610!
        America/Argentina/San_Juan =
        3oM_Fo>1AXY[R42X`c81hSYd>2XXX81hSfC2XdY<1hiYD2XZ`;0`el51Xhb>2Xne;1hiYD2XdY<1hicX;0hij41X
        nS^32X^h610!
        America/Argentina/San_Luis =
        3oM_Fo>1AXY[R42X`c81hSYd>2XXX81hSfC2XhU=0`mlB1XVQ<0hkR81XdYQ=0hij41XnS^32Xhm11hSW40h]RC1
        XZm<0h]RC10!
        America/Argentina/Tucuman =
        3oM_Fo>1BXY[R42X`c81hSYd>2XXX81hSfC2XdY<1hiYD2Xne;0`mYD2`je;1hiYD2XdY<1hcfX;0hkQ11XRja32
        X^h61h]RC2XZm<10!
        America/Argentina/Ushuaia =
        3oM_Fo>1@XY[R42X`c81hSYd>2XXX81hSfC2XdY<1hiYD2Xne;1hiYD2Xne;1hiYD2XdY<1ho`X;0hUk11X\Va32
        X^h610!
        America/Asuncion =
        2oM_F0U3PWXh21XZR`10h[U`11X\[=0hoiB1XbX=0hoiB1XbX=0hoiB1Xho?0hiR@1XbR@0hiR@1Xho?0hiR@1Xh
        o?0hiR@1Xho?0hiR@1XbR@0hiR@1Xho?0hiR@1Xho?0hiR@1Xho?0hiR@1XbR@0hiR@1Xho?0hkmA1XfT>0hiR@1
        Xho?0hk`@1XZm<0hWUC1Xfa?0hcU@1XnR=0hcoB1XTP=0h]RC1X\[=0hQXC1XdY<0hSfC1XZm<0h]RC1XPa=0hg^
        B1XPa=0hg^B1XPa=0h]RC1Xho?0ham<1XVRC0hWa=1X`^B0h[WA1XZm<0h]RC1XZm<0h]RC1XZm<0hSfC1XdY<0h
        SfC1XdY<0hSfC1XR\?0hY\?1X^c@0hY\?1X^c@0hoo?1X\h>0h[WA1X\h>0h[WA1X\h>0h[WA1XR\?0hec@1XR\?
        0hec@1XR\?0h[WA1X\h>0h[WA1X\h>0h[WA1XR\?0hec@1XR\?0hec@1XR\?0hec@1XR\?0h[WA10!
        America/Atikokan America/Cayman America/Coral_Harbour America/Panama EST Etc/GMT+5 =
        1_U1000!
        America/Bahia =
        2_Fo>0V1Xk[l?1Xne;0hSfC1Xlj90heWF1XVW90hkTF1XVW90hahF1Xb^:0hkTF1Xb^:0hUaE1Xlj90hahF1X`c8
        0hahF1XXR;0h_mD1XXR;0h_mD1Xb^:0h_mD1Xne;0hc\D1X`j<0hSfC1Xne;0hSfC1XZm<0hSfC1Xne;0h_mD1XX
        R;0hahF1XVW90hkRf81Xne;00!
        America/Bahia_Banderas =
        3_d1o\1_U10f1h[U[J1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hec@1XZm<0hec@1XjjA0hmT>
        1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>2`\^B1hWa=2X`^B1hW
        a=2X`^B1hmT>2XjjA1hmT>2XjjA1hmT>2XjjA1hmT>2X`^B1hWa=2X`^B1hWa=2X`^B1hmT>2XjjA1hmT>2XjjA1
        hmT>2X`^B1hWa=2X`^B10!
        America/Barbados =
        2oM_F08`lo^71Xlj90h[WA1X\h>0h[WA1X\h>0hQkA1XXl=00!
        America/Belem =
        2_Fo>06Xk[l?1Xne;0hSfC1Xlj90heWF1XVW900!
        America/Belize =
        2o\1_U104`jQn31X`i50hgWl81X\m400!
        America/Boa_Vista =
        2oM_F0:Po[l?1Xne;0hSfC1Xlj90heWF1XVW90hSRf;1XZm<0hSfC1XbC00!
        America/Bogota =
        2_U1oM02hTn\F1XVfH00!
        America/Boise =
        2_d1o\10[2h_T:1Xho?0hoo?1X^c@0hoo?1Xho?0hoo?1Xho?0hgc81XP\G0hi^:1Xn`E0hoo?1X^c@0hY\?1X^c
        @0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1X
        ho?0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=
        1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hm
        T>1X`^B0hWa=1X`^B0hWa=1X`^B0hUf;11_d1o\1320P?;10P?!
        America/Cambridge_Bay =
        3_d1o\1_U10U2hegZ21Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?
        1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hmT>1XjjA0hm
        T>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0
        hmT>1XjjA0hmT>1XjjA0hmT>1XdoO2hnQC1X]\O0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^
        B0hUf;11_d1o\1320P?;10P?!
        America/Campo_Grande =
        2oM_F0T2Po[l?1Xne;0hSfC1Xlj90heWF1XVW90hkTF1XVW90hahF1Xb^:0hkTF1Xb^:0hUaE1Xlj90hahF1X`c8
        0hahF1XXR;0h_mD1XXR;0h_mD1Xb^:0h_mD1Xne;0hc\D1X`j<0hSfC1Xne;0hSfC1XZm<0hSfC1Xne;0h_mD1XX
        R;0hahF1XVW90hUaE1Xb^:0hUnF1XXe90h_mD1XXR;0hahF1Xlj90hiYD1XXR;0hUaE1Xb^:0hUaE1XXR;0h_mD1
        XXR;0h_mD1Xne;0h_mD1Xb^:0hUaE1Xb^:0hUaE1XXR;0h_mD1XXR;0h_mD1XXR;0h_mD1XXR;0hahF1XVW900!
        America/Cancun =
        3o\1_U1oM0Y1PXgP<1h`kP10X_bY=1XjjA0hmT>1XdoO2Xb^:1h[\70hmT>1X`^B0hWa=1X`^B0hec@1XZm<0hec
        @1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0h
        Wa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hgc810!
        America/Caracas =
        2gQ1oM12XjjQV10PT_]810!
        America/Cayenne Etc/GMT+3 =
        1_F000!
        America/Chicago CST6CDT US/Central =
        2o\1_U10[2P\T:1Xho?0hoo?1X^c@0hoo?1Xho?0hoo?1Xho?0hoT61XhjI0hi^:1Xn`E0hoo?1X^c@0hY\?1X^c
        @0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1X
        ho?0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=
        1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hm
        T>1X`^B0hWa=1X`^B0hWa=1X`^B0hUf;11o\1_U1320P?;10P?!
        America/Chihuahua =
        3_d1o\1_U11d1PXU[J2XjjA1hmT>2XjjA1hkoO0hmT>1X`^B0hWa=1X`^B0hec@1XZm<0hec@1XjjA0hmT>1XjjA
        0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`
        ^B0hmT>1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1
        X`^B0hWa=10!
        America/Ciudad_Juarez =
        3_d1o\1_U11e1PXU[J2XjjA1hmT>2XjjA1hkoO0hmT>1X`^B0hWa=1X`^B0hec@1XZm<0hec@1XjjA0hmT>1XjjA
        0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hkY<1XXmD0h_R;1XXmD0h_R;1XX
        mD0h_R;1XXmD0h_R;1XXmD0h_R;1XXmD0hUf;1XXmD0h_R;1XXmD0h_R;1XXmD0h_R;1XXmD0h_R;1XXmD0hUf;1
        XXmD0h_R;1h`PG01_d1o\1320P?;10P?!
        America/Costa_Rica =
        2o\1_U108`RhU91X`c80hW\G1X`c80hk[e:1XZZ>0h]eA1XVP500!
        America/Coyhaique =
        2oM_F1\3XQe70h[WA1XPa=0hg^B1XPa=0h]RC1XZm<0hQkA1XfT>0h]RC1XZm<0h]RC1XPa=0hg^B1XPa=0hg^B1
        XPa=0h]RC1XZm<0h]RC1XZm<0h]RC1XPa=0hg^B1XPa=0hg^B1XPa=0hg^B1XPa=0h]RC1XZm<0h]RC1XZm<0h]R
        C1Xho?0hoo?1XPa=0hg^B1XPa=0h]RC1XZm<0hec@1XR\?0h]RC1XPa=0hg^B1XPa=0hg^B1XPa=0hg^B1XPa=0h
        ]RC1XZm<0h]RC1X\h>0h[WA1XPa=0h[WA1X^c@0hec@1XPa=0h]RC1XZm<0h]RC1XZm<0h]RC1XZm<0h]RC1XPa=
        0hg^B1XPa=0hg^B1XPa=0h]RC1XZm<0h]RC1X\h>0h[WA1XPa=0hg^B1XR\?0hec@1X`^B0h]W91XdTF0h_R;1XX
        mD0hUf;1XbYD0hUf;1X\Tf10hQP81XfoG0hQP81XfoG0hQP81XXmD0hWa=1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>
        1XjjA0hWa=1XVRC0hWa=10!
        America/Creston America/Phoenix Etc/GMT+7 MST US/Arizona =
        1_d1000!
        America/Cuiaba =
        2oM_F0R2Po[l?1Xne;0hSfC1Xlj90heWF1XVW90hkTF1XVW90hahF1Xb^:0hkTF1Xb^:0hUaE1Xlj90hahF1X`c8
        0hahF1XXR;0h_mD1XXR;0h_mD1Xb^:0h_mD1Xne;0hc\D1X`j<0hSfC1Xne;0hSfC1XZm<0hSfC1Xne;0h_mD1XX
        R;0hahF1XVW90hmmf11XXe90h_mD1XXR;0hahF1Xlj90hiYD1XXR;0hUaE1Xb^:0hUaE1XXR;0h_mD1XXR;0h_mD
        1Xne;0h_mD1Xb^:0hUaE1Xb^:0hUaE1XXR;0h_mD1XXR;0h_mD1XXR;0h_mD1XXR;0hahF1XVW900!
        America/Danmarkshavn =
        3_Fo>00Q1hj]Y:1Pg[?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo
        ?0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0`ef820
        !
        America/Dawson =
        3_S2ok1_d10b2hYgj31hUb`62Xho?1hoo?2Xho?1hoo?2X^c@1hY\?2X^c@1hoo?2Xho?1hoo?2Xho?1hoo?2Xho
        ?1hmT>2XjjA1hmT>2X`^B1hWa=2X`^B1hWa=2X`^B1hmT>2XjjA1hmT>2XjjA1hmT>2X`^B1hWa=2X`^B1hWa=2X
        `^B1hmT>2XjjA1hmT>2XjjA1hmT>2XjjA1hmT>2X`^B1hWa=2X`^B1hWa=2X`^B1hmT>2XjjA1hmT>2XjjA1hmT>
        2X`^B1hWa=2X`^B1hWa=2X`^B1hUf;2XXmD1h_R;2XXmD1h_R;2XXmD1hUf;2XXmD1h_R;2XXmD1h_R;2XXmD1h_
        R;2XXmD1h_R;2XXmD1h_R;2XXmD1hUf;2XXmD1h_R;2XXmD1h_R;2XXmD1h_R;2XXmD1h_R;20!
        America/Dawson_Creek =
        2ok1_d105`cT:1Xho?0hoo?1X^c@0hoo?10!
        America/Denver America/Shiprock MST7MDT Navajo US/Mountain =
        2_d1o\10[2h_T:1Xho?0hoo?1X^c@0hoo?1Xho?0hoo?1Xho?0hoT61XhjI0hi^:1Xn`E0hoo?1X^c@0hY\?1X^c
        @0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1X
        ho?0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=
        1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hm
        T>1X`^B0hWa=1X`^B0hWa=1X`^B0hUf;11_d1o\1320P?;10P?!
        America/Detroit US/Michigan =
        2_U1oM0U2XVgZ31Xho?0hoT61XhjI0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho
        ?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hmT>1XjjA0hmT>1X`^B0hWa=1X
        `^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>
        1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hU
        f;11_U1oM320P?;10P?!
        America/Edmonton America/Yellowknife Canada/Mountain =
        2_d1o\10]3hegZ21Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xh
        o?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hmT>1XjjA0hmT>1
        X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT
        >1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0h
        Wa=1X`^B0hUf;1XXmD0h_R;1XXmD0h_R;1XXmD0hUf;1XXmD0h_R;1XXmD0h_R;1XXmD0h_R;1XXmD0h_R;1XXmD
        0h_R;1XXmD0hUf;1XXmD0h_R;1XXmD0h_R;1XXmD0h_R;1XXmD0h_R;1XXmD0hUf;1XXmD0h_R;1XXmD0h_R;1XX
        mD0h_R;1XXmD0h_R;1XXmD0h_R;10!
        America/Eirunepe =
        2_U1oM0:hR\l?1Xne;0hSfC1Xlj90heWF1XVW90hYgf51XXR;0ho[\>1X^f\500!
        America/El_Salvador =
        2o\1_U104`d^\A1XZm<0h]RC1XZm<00!
        America/Ensenada America/Santa_Isabel America/Tijuana Mexico/BajaNorte =
        2ok1_d10a2`cT:1Xho?0hoo?1X^c@0hoo?1Xho?0hoo?1Xho?0hoT61XhjI0hi^:1Xn`E0hoo?1X^c@0hY\?1X^c
        @0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1X
        ho?0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=
        1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hm
        T>1X`^B0hWa=1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0XTo501ok1_d1320P?;10P?!
        America/Fort_Nelson =
        2ok1_d10k2`cT:1Xho?0hoo?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c
        @0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1X
        ho?0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=
        1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hm
        T>1X`^B0hWa=1X`^B0hWa=1X`^B0hUf;1XXmD0h_R;1XXmD0h_R;1XXmD0hUf;1XXmD0h_R;1XXmD0h_R;1XXmD0
        h_R;1XXmD0h_R;1XXmD0h_R;10!
        America/Fort_Wayne America/Indiana/Indianapolis America/Indianapolis US/East-Indiana =
        2_U1oM05XXT:1Xho?0hYbaS11X`^B0hUf;11_U1oM320P?;10P?!
        America/Fortaleza =
        2_Fo>0@Xk[l?1Xne;0hSfC1Xlj90heWF1XVW90hkTF1XVW90hahF1Xb^:0hm^e91XZm<0hSfC1XXW10hU\O1XXR;
        00!
        America/Glace_Bay =
        2oM_F0W2`ZgZ21Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?
        0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hmT>1XjjA0hmT>1X`
        ^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1
        XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa
        =1X`^B0hUf;11oM_F320P?;10P?!
        America/Godthab America/Nuuk =
        2_Fo>0h2hj]Y:1Pg[?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?
        0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Pbc@1Pd
        ^B0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1
        PZRC0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa
        =1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1PZRC0P
        ^m<1PZRC11o>_7350_7:500!
        America/Goose_Bay =
        3oM_Fo>0d2`TT:1Xho?0hoo?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c
        @0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1X
        ho?0ZfT>1XjjA0hmT>2`\^B0`[a=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=
        1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hm
        T>1X`^B0hWa=1X`^B0hWa=1X`^B0hUf;1XXmD0h_R;1XXmD0h_R;1XXmD0hUf;1XXmD0h_R;1VV_D11oM_F320P?
        ;10P?!
        America/Grand_Turk =
        2_U1oM0Z2X\Y[91Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho
        ?0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X
        `^B0hmT>1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>
        1X`^B0hWa=1X`^B0hWa=1X`^B0hUf;1XXmD0h_R;1XXmD0h_R;1XXmD0hUf;1XXmD0h_R;1XXmD0h_R;1XXmD0h_
        R;1XXmD0h_R;1XXmD0h_R;1PnbP311_U1oM320P?;10P?!
        America/Guatemala =
        2o\1_U108`fUm31Xjo70he^X91Xdl:0hag`71X\h>0hUTf>1XPa=00!
        America/Guayaquil =
        2_U1oM02hh\oF1XnQ600!
        America/Guyana =
        3oMSL_F12RZTc52nRjf@00!
        America/Halifax Canada/Atlantic =
        2oM_F0[2`TT:1Xho?0hoo?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0
        hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho
        ?0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X
        `^B0hmT>1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>
        1X`^B0hWa=1X`^B0hWa=1X`^B0hUf;11oM_F320P?;10P?!
        America/Havana Cuba =
        2_U1oM0^3hPT:1Xho?0hoo?1X^c@0hoo?1XfT>0hQkA1X`W>0hWhA1XZZ>0h]eA1Xho?0hoo?1X^c@0hY\?1X^c@
        0hec@1XPa=0hmT>1X`^B0hWa=1X`^B0hg^B1XPa=0hg^B1XPa=0hg^B1XPa=0hg^B1XfT>0hQkA1XfT>0hWa=1X`
        ^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hY\?1XTWA0hY\?1Pbc@0PV\?1Pbc@0PV\?1Pbc@0PV\?1Pbc@0PV\?1
        Pbc@0Plo?1Plo?0Plo?1Pbc@0P`h>1Pd^B0PTa=1PZRC0PTa=1Pd^B0PTa=1Pd^B0PjT>1PnjA0PjT>1PnjA0PTa
        =1PjQc20PRf;1PfYD0PhY<1PPfC0PRf;1PfYD0PhY<1PfYD0PhY<1P\mD0PhY<1PZRC0P\R;1P\mD0P\R;1P\mD0
        P\R;1P\mD0PRf;1P\mD0P\R;1P\mD0P\R;1P\mD0P\R;1P\mD0P\R;1P\mD0PRf;1P\mD0P\R;1P\mD0P\R;1P\m
        D0P\R;1P\mD0P\R;1P\mD0P\R;1Pj`e101_U1oM3200;10`7!
        America/Hermosillo =
        2_d1o\106h[U[J1XjjA0hmT>1XjjA0hmT>1XjjA00!
        America/Indiana/Knox America/Knox_IN US/Indiana-Starke =
        2o\1_U10]1P\T:1Xho?0hoo?1X^c@0hoo?1Xho?0hoo?1Xho?0hoT61XhjI0hi^:1Xn`E0hoo?1X^c@0hY\?1X^c
        @0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1X
        ho?0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XTbc?0hUf;11o\1_U1320P?;10P?!
        America/Indiana/Marengo =
        2_U1oM0=XXT:1Xho?0hoo?1X^c@0hoo?1Xho?0hoo?1Xho?0ha^Z11Xn`E0hko`N1X`^B0hUf;11_U1oM320P?;1
        0P?!
        America/Indiana/Petersburg =
        2o\1_U10BP\T:1Xho?0hoo?1X^c@0hoo?1Xho?0hoo?1Xho?0hoT61XhjI0hi^:1Xn`E0hoo?1X^c@0hY\?1Xd^c
        M0hUf;1XXmD11_U1oM320P?;10P?!
        America/Indiana/Tell_City =
        3o\1_U1oM14XXT:2Xho?1hmPTT10hUf;11o\1_U1320P?;10P?!
        America/Indiana/Vevay =
        2_U1oM09XXT:1Xho?0hoo?1X^c@0hoo?1Xho?0hSo`Q11X`^B0hUf;11_U1oM320P?;10P?!
        America/Indiana/Vincennes =
        3o\1_U1oM15XXT:2Xho?1hmPTT10hUf;1XXmD11_U1oM320P?;10P?!
        America/Indiana/Winamac =
        3o\1_U1oM14XXT:2Xho?1hmPTT10hUf;21_U1oM320P?;10P?!
        America/Inuvik =
        3ok1_d1o\10]3`igZ21Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?
        2`do?1hoo?2Xho?1hoo?2Xho?1hoo?2X^c@1hY\?2X^c@1hoo?2Xho?1hoo?2Xho?1hoo?2Xho?1hmT>2XjjA1hm
        T>2X`^B1hWa=2X`^B1hWa=2X`^B1hmT>2XjjA1hmT>2XjjA1hmT>2X`^B1hWa=2X`^B1hWa=2X`^B1hmT>2XjjA1
        hmT>2XjjA1hmT>2XjjA1hmT>2X`^B1hWa=2X`^B1hWa=2X`^B1hmT>2XjjA1hmT>2XjjA1hmT>2X`^B1hWa=2X`^
        B1hWa=2X`^B1hUf;2XXmD1h_R;2XXmD1h_R;2XXmD1hUf;2XXmD1h_R;2XXmD1h_R;2XXmD1h_R;2XXmD1h_R;2X
        XmD1h_R;2XXmD1hUf;2XXmD1h_R;2XXmD1h_R;2XXmD1h_R;2XXmD1h_R;2XXmD1hUf;2XXmD1h_R;2XXmD1h_R;
        2XXmD1h_R;2XXmD1h_R;2XXmD1h_R;20!
        America/Iqaluit America/Pangnirtung =
        3o\1_U1oM1V2X^gZ22Xho?1hoo?2Xho?1hoo?2Xho?1hoo?2Xho?1hoo?2X^c@1hY\?2X^c@1hoo?2Xho?1hoo?2
        Xho?1hoo?2Xho?1hoo?2Xho?1hoo?2X^c@1hY\?2X^c@1hoo?2Xho?1hoo?2Xho?1hoo?2Xho?1hmT>2XjjA1hmT
        >2X`^B1hWa=2X`^B1hWa=2X`^B1hmT>2XjjA1hmT>2XjjA1hmT>2X`^B1hWa=2X`^B1hWa=2X`^B1hmT>2XjjA1h
        mT>2XjjA1hmT>2XjjA1hmT>2X`^B0`[a=1XdoO2X`^B1hmT>2XjjA1hmT>2XjjA1hmT>2X`^B1hWa=2X`^B1hWa=
        2X`^B1hUf;21_U1oM320P?;10P?!
        America/Jamaica Jamaica =
        2_U1oM0DXnkP41XhjI0hi^:1Xn`E0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?
        0hoo?1X^c@0hY\?1X^c@00!
        America/Juneau =
        3_S2ok1_d11Y2`cT:2Xho?1hoo?2X^c@1hoo?2Xho?1hoo?2Xho?1hoT62XhjI1hi^:2Xn`E1hoo?2X^c@1hY\?2
        X^c@1hoo?2Xho?1hoo?2Xho?1hgo_12Xho?1hoo?2X^c@1hY\?2X^c@0`SP@1Xho?0hoo?1Xho?0hoo?1Xho?0hm
        T>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0
        hmT>1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^
        B0hWa=1X`^B0hWa=1X`^B0hUf;11_S2ok1320P?;10P?!
        America/Kentucky/Louisville America/Louisville =
        2_U1oM0Y2XXT:1Xho?0hoo?1X^c@0hoo?1Xho?0hoo?1Xho?0ha^Z11Xn`E0hoo?1X^c@0hY\?1X^c@0hoo?1Xho
        ?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hmT>1X
        jjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>
        1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hW
        a=1X`^B0hWa=1X`^B0hUf;11_U1oM320P?;10P?!
        America/Kentucky/Monticello =
        3o\1_U1oM0Z2P\T:1Xho?0hoo?1X^c@0hoo?1Xho?0hoo?1Xho?0hoT61XhjI0hi^:1Xn`E0hoo?1X^c@0hY\?1X
        ^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?
        1Xho?0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hW
        a=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1XdoO2X`^B1hmT>2XjjA1hmT>2XjjA1hmT>2
        X`^B1hWa=2X`^B1hWa=2X`^B1hUf;21_U1oM320P?;10P?!
        America/Lima =
        2_U1oM08hjdQ@1XPm70haUH1XPm70h_]h21XPm70hQ`h31XPm700!
        America/Los_Angeles PST8PDT US/Pacific =
        2ok1_d10[2`cT:1Xho?0hoo?1X^c@0hoo?1Xho?0hoo?1Xho?0hoT61XhjI0hi^:1Xn`E0hoo?1X^c@0hY\?1X^c
        @0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1X
        ho?0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=
        1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hm
        T>1X`^B0hWa=1X`^B0hWa=1X`^B0hUf;11ok1_d1320P?;10P?!
        America/Maceio =
        2_Fo>0BXk[l?1Xne;0hSfC1Xlj90heWF1XVW90hkTF1XVW90hahF1Xb^:0hcSf51Xb^:0hgld31XZm<0hSfC1XXW
        10hU\O1XXR;00!
        America/Managua =
        2o\1_U10>`flZ31Xldi10haQS41XZf80h]YG1XZf80h\na;1X[^G0haf81Xn\P40he`Y81XR\?0Xo^B1`l`=00!
        America/Manaus Brazil/West =
        2oM_F08Po[l?1Xne;0hSfC1Xlj90heWF1XVW90hYgf51XXR;00!
        America/Martinique =
        2oM_F02Pg]Y:1XR\?00!
        America/Matamoros =
        2o\1_U10OPloYB1X`^B0hkf^71XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hec@1XZm<0hec@1Xj
        jA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0XTo501o\1_U1320
        P?;10P?!
        America/Mazatlan Mexico/BajaSur =
        2_d1o\10f1h[U[J1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hec@1XZm<0hec@1XjjA0hmT>1Xj
        jA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1
        X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT
        >1X`^B0hWa=1X`^B00!
        America/Menominee =
        2o\1_U11T2XRgj30hoT61XhjI0hi^:1Xn`E0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0ho
        o?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0
        hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1Xjj
        A0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hUf;11
        o\1_U1320P?;10P?!
        America/Merida =
        2o\1_U10h1PXgP<1XbZK0h]S_=1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hec@1XZm<0hec@1X
        jjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=
        1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hm
        T>1XjjA0hmT>1X`^B0hWa=1X`^B00!
        America/Metlakatla =
        3_S2ok1_d11S1`cT:2Xho?1hoo?2X^c@1hoo?2Xho?1hoo?2Xho?1hoT62XhjI1hi^:2Xn`E1hoo?2X^c@1hY\?2
        X^c@1hoo?2Xho?1hoo?2Xho?1hoo?2Xho?1hoo?2Xho?1hoo?2X^c@1hY\?2X^c@1hW^SP10hUf;1XXmD0h_R;1X
        XmD0h_R;1XjeK01_S2ok1320P?;10P?!
        America/Mexico_City Mexico/General =
        2o\1_U10f1PXU[J1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hec@1XZm<0hec@1XjjA0hmT>1Xj
        jA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1
        X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT
        >1X`^B0hWa=1X`^B00!
        America/Miquelon =
        3oM_Fo>0Z1PQd[:1hg[n62XjjA1hmT>2X`^B1hWa=2X`^B1hWa=2X`^B1hmT>2XjjA1hmT>2XjjA1hmT>2X`^B1h
        Wa=2X`^B1hWa=2X`^B1hmT>2XjjA1hmT>2XjjA1hmT>2XjjA1hmT>2X`^B1hWa=2X`^B1hWa=2X`^B1hmT>2XjjA
        1hmT>2XjjA1hmT>2X`^B1hWa=2X`^B1hWa=2X`^B1hUf;21_Fo>320P?;10P?!
        America/Moncton =
        2oM_F0Y2`TT:1Xho?0hoo?1X^c@0hoo?1Xho?0hgo_11Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?
        0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hmT>1Xj
        jA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0ZfT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1
        XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa
        =1X`^B0hWa=1X`^B0fSd501oM_F320P?;10P?!
        America/Monterrey =
        2o\1_U10h1PloYB1X`^B0hkf^71XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hec@1XZm<0hec@1X
        jjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=
        1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hm
        T>1XjjA0hmT>1X`^B0hWa=1X`^B00!
        America/Montevideo =
        4_FgBo>W;0c1XoP:2X`\40hiek12XT\70hgo_13\Zm41hY\?0lQk92X`c80ho[g12X^h60hmoG2Xjo70hYWI2X^h
        60hcm42X`YL0hedh72Xde60hYWI2XT\70h_mD2Xb^:0h_mD2Xne;0h_mD2XXR;0hiYD2Xne;0heob;2hec@0h[WA
        2XPa=0hQkA2XfT>0hg^B2XPa=0hg^B2XPa=0hg^B2XfT>0hQkA2XfT>0hQkA2XfT>0hg^B2XPa=0hg^B2XPa=0hg
        ^B2XPa=00!
        America/Montreal America/Nassau America/Nipigon America/Thunder_Bay America/Toronto
        Canada/Eastern =
        2_U1oM0[2XXT:1Xho?0hoo?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@
        0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xh
        o?0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1
        X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT
        >1X`^B0hWa=1X`^B0hWa=1X`^B0hUf;11_U1oM320P?;10P?!
        America/New_York EST5EDT US/Eastern =
        2_U1oM0[2XXT:1Xho?0hoo?1X^c@0hoo?1Xho?0hoo?1Xho?0hoT61XhjI0hi^:1Xn`E0hoo?1X^c@0hY\?1X^c@
        0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xh
        o?0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1
        X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT
        >1X`^B0hWa=1X`^B0hWa=1X`^B0hUf;11_U1oM320P?;10P?!
        America/Nome =
        4_b2oZ2_S2ok10[2hnT:1Xho?0hoo?1X^c@0hoo?1Xho?0hoo?1Xho?0hoT61XhjI0hi^:1Xn`E0hoo?1X^c@0hY
        \?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@2Xho?3Xho?2hoo?3Xho?2
        hoo?3Xho?2hmT>3XjjA2hmT>3X`^B2hWa=3X`^B2hWa=3X`^B2hmT>3XjjA2hmT>3XjjA2hmT>3X`^B2hWa=3X`^
        B2hWa=3X`^B2hmT>3XjjA2hmT>3XjjA2hmT>3XjjA2hmT>3X`^B2hWa=3X`^B2hWa=3X`^B2hmT>3XjjA2hmT>3X
        jjA2hmT>3X`^B2hWa=3X`^B2hWa=3X`^B2hUf;31_S2ok1320P?;10P?!
        America/Noronha Brazil/DeNoronha =
        2o>_70@`g[l?1Xne;0hSfC1Xlj90heWF1XVW90hkTF1XVW90hahF1Xb^:0hm^e91XZm<0hSfC1XbC0hkoO1XXR;0
        0!
        America/North_Dakota/Beulah =
        2_d1o\10b2h_T:1Xho?0hoo?1X^c@0hoo?1Xho?0hoo?1Xho?0hoT61XhjI0hi^:1Xn`E0hoo?1X^c@0hY\?1X^c
        @0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1X
        ho?0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=
        1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hm
        T>1X`^B0hWa=1X`^B0hWa=1X`^B0hUf;1XXmD0h_R;1XXmD0h_R;1XXmD0hUf;1XXmD11o\1_U1320P?;10P?!
        America/North_Dakota/Center =
        3_d1o\1_U10Z2h_T:1Xho?0hoo?1X^c@0hoo?1Xho?0hoo?1Xho?0hoT61XhjI0hi^:1Xn`E0hoo?1X^c@0hY\?1
        X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo
        ?1Xho?0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XdoO2X`^B1hWa=2X`^B1hWa=2X
        `^B1hmT>2XjjA1hmT>2XjjA1hmT>2XjjA1hmT>2X`^B1hWa=2X`^B1hWa=2X`^B1hmT>2XjjA1hmT>2XjjA1hmT>
        2X`^B1hWa=2X`^B1hWa=2X`^B1hUf;21o\1_U1320P?;10P?!
        America/North_Dakota/New_Salem =
        3_d1o\1_U10Z2h_T:1Xho?0hoo?1X^c@0hoo?1Xho?0hoo?1Xho?0hoT61XhjI0hi^:1Xn`E0hoo?1X^c@0hY\?1
        X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo
        ?1Xho?0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0h
        Wa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XdoO
        2X`^B1hWa=2X`^B1hWa=2X`^B1hUf;21o\1_U1320P?;10P?!
        America/Ojinaga =
        3_d1o\1_U11e1PXU[J2XjjA1hmT>2XjjA1hkoO0hmT>1X`^B0hWa=1X`^B0hec@1XZm<0hec@1XjjA0hmT>1XjjA
        0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hkY<1XXmD0h_R;1XXmD0h_R;1XX
        mD0h_R;1XXmD0h_R;1XXmD0h_R;1XXmD0hUf;1XXmD0h_R;1XXmD0h_R;1XXmD0h_R;1XXmD0h_R;1XXmD0hUf;1
        XXmD0h_R;1h`PG11o\1_U1320P?;10P?!
        America/Paramaribo =
        2WJ_F01T[_i>10!
        America/Port-au-Prince =
        2_U1oM0[1h`_\=1XR\?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0`QU>1Pd^B0PTa=1Pd^B0PTa=1Pd^
        B0PjT>1PnjA0PjT>1PnjA0PjT>1Pd^B0PTa=1Pd^B0PTa=1Pd^B0PjT>1PnjA0PjT>1PnjA0Xdf^71X`^B0hWa=1
        X`^B0XkX\51XXmD0h_R;1XXmD0h_R;1XXmD0h_R;1XXmD0hme[111_U1oM320P?;10P?!
        America/Porto_Acre America/Rio_Branco Brazil/Acre =
        2_U1oM08hR\l?1Xne;0hSfC1Xlj90heWF1XVW90haU^D1X^f\500!
        America/Porto_Velho =
        2oM_F06Po[l?1Xne;0hSfC1Xlj90heWF1XVW900!
        America/Punta_Arenas =
        2oM_F1l2XQe70h[WA1XPa=0hg^B1XPa=0h]RC1XZm<0hQkA1XfT>0h]RC1XZm<0h]RC1XPa=0hg^B1XPa=0hg^B1
        XPa=0h]RC1XZm<0h]RC1XZm<0h]RC1XPa=0hg^B1XPa=0hg^B1XPa=0hg^B1XPa=0h]RC1XZm<0h]RC1XZm<0h]R
        C1Xho?0hoo?1XPa=0hg^B1XPa=0h]RC1XZm<0hec@1XR\?0h]RC1XPa=0hg^B1XPa=0hg^B1XPa=0hg^B1XPa=0h
        ]RC1XZm<0h]RC1X\h>0h[WA1XPa=0h[WA1X^c@0hec@1XPa=0h]RC1XZm<0h]RC1XZm<0h]RC1XZm<0h]RC1XPa=
        0hg^B1XPa=0hg^B1XPa=0h]RC1XZm<0h]RC1X\h>0h[WA1XPa=0hg^B1XR\?0hec@1X`^B0h]W91XdTF0h_R;1XX
        mD0hUf;1XbYD0hUf;1X\Tf10hQP810!
        America/Rainy_River America/Winnipeg Canada/Central =
        2o\1_U10a3P\T:1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0PV\?1Pbc
        @0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0PV\?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1P
        lo?0PjT>1PnjA0PjT>1Pd^B0PTa=1Pd^B0PTa=1Pd^B0PjT>1PnjA0PjT>1PnjA0PjT>1Pd^B0PTa=1Pd^B0PTa=
        1Pd^B0PjT>1PnjA0PjT>1PnjA0PjT>1PnjA0PjT>1Pd^B0PTa=1Pd^B0PTa=1Pd^B0PjT>1PnjA0PjT>1PnjA0Pj
        T>1Pd^B0PTa=1Pd^B0PTa=1X`^B0hUf;1XXmD0h_R;1XXmD0h_R;1XXmD0hUf;1XXmD0h_R;1XXmD0h_R;1XXmD0
        h_R;1XXmD0h_R;1XXmD0h_R;1XXmD0hUf;1XXmD0h_R;1XXmD0h_R;1XXmD0h_R;1XXmD0h_R;1XXmD0hUf;1XXm
        D0h_R;1XXmD0h_R;1XXmD0h_R;1XXmD0h_R;1XXmD0h_R;10!
        America/Rankin_Inlet =
        2o\1_U10U2PbgZ21Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xh
        o?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hmT>1XjjA0hmT>1
        X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT
        >1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1XX^b10hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0
        hUf;11o\1_U1320P?;10P?!
        America/Recife =
        2_Fo>0@Xk[l?1Xne;0hSfC1Xlj90heWF1XVW90hkTF1XVW90hahF1Xb^:0hm^e91XZm<0hSfC1XbC0hkoO1XXR;0
        0!
        America/Regina Canada/Saskatchewan Etc/GMT+6 =
        1o\1000!
        America/Resolute =
        2o\1_U10T2PbgZ21Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xh
        o?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hmT>1XjjA0hmT>1
        X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT
        >1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1XX^b10hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1PfTN1
        1o\1_U1320P?;10P?!
        America/Santarem =
        2oM_F07Po[l?1Xne;0hSfC1Xlj90heWF1XVW90haU^D10!
        America/Santiago Chile/Continental =
        2oM_F1Y3XQe70h[WA1XPa=0hg^B1XPa=0h]RC1XZm<0hQkA1XfT>0h]RC1XZm<0h]RC1XPa=0hg^B1XPa=0hg^B1
        XPa=0h]RC1XZm<0h]RC1XZm<0h]RC1XPa=0hg^B1XPa=0hg^B1XPa=0hg^B1XPa=0h]RC1XZm<0h]RC1XZm<0h]R
        C1Xho?0hoo?1XPa=0hg^B1XPa=0h]RC1XZm<0hec@1XR\?0h]RC1XPa=0hg^B1XPa=0hg^B1XPa=0hg^B1XPa=0h
        ]RC1XZm<0h]RC1X\h>0h[WA1XPa=0h[WA1X^c@0hec@1XPa=0h]RC1XZm<0h]RC1XZm<0h]RC1XZm<0h]RC1XPa=
        0hg^B1XPa=0hg^B1XPa=0h]RC1XZm<0h]RC1X\h>0h[WA1XPa=0hg^B1XR\?0hec@1X`^B0h]W91XdTF0h_R;1XX
        mD0hUf;1XbYD0hUf;1X\Tf10hQP81XfoG0hQP81XfoG0hQP81XXmD0hWa=1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>
        1XjjA01oM_F916Pd5416Pd5!
        America/Santo_Domingo =
        3_U1gQ1oM1<ln_40lmcE1Tdd70linH1TbV70lUiH1TV\70lacH1TP_70lg`H2hQlRJ0P^R320!
        America/Sao_Paulo Brazil/East =
        2_Fo>0T2Xk[l?1Xne;0hSfC1Xlj90heWF1XVW90hkTF1XVW90hahF1Xb^:0hkTF1Xb^:0hUaE1Xlj90hahF1X`c8
        0hahF1XXR;0h_mD1XXR;0h_mD1Xb^:0h_mD1Xne;0hc\D1X`j<0hSfC1Xne;0hSfC1XZm<0hSfC1Xne;0h_mD1XX
        R;0hahF1XVW90hUaE1Xb^:0hUnF1XXe90h_mD1XXR;0hahF1Xlj90hiYD1XXR;0hUaE1Xb^:0hUaE1XXR;0h_mD1
        XXR;0h_mD1Xne;0h_mD1Xb^:0hUaE1Xb^:0hUaE1XXR;0h_mD1XXR;0h_mD1XXR;0h_mD1XXR;0hahF1XVW900!
        America/Scoresbysund =
        3o>_700i2Pg]Y:1PV\?0`do?2Xho?1Plo?2Plo?1Plo?2Plo?1Plo?2Pbc@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo
        ?1Plo?2Plo?1Plo?2Plo?1Plo?2Pbc@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Pbc@2P
        d^B1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<
        2PZRC1P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PT
        a=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1
        P^m<2PZRC1PTa=11o>_7350_7:500!
        America/Sitka =
        3_S2ok1_d11[2`cT:2Xho?1hoo?2X^c@1hoo?2Xho?1hoo?2Xho?1hoT62XhjI1hi^:2Xn`E1hoo?2X^c@1hY\?2
        X^c@1hoo?2Xho?1hoo?2Xho?1hoo?2Xho?1hoo?2Xho?1hoo?2X^c@1hY\?2X^c@0`SP@1Xho?0hoo?1Xho?0hoo
        ?1Xho?0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0h
        Wa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA
        0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hUf;11_S2ok1320P?;10P?!
        America/St_Johns Canada/Newfoundland =
        3WJgBW;0d2dRT:1Xho?0hoo?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c
        @0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1X
        ho?0ZfT>1XjjA0hmT>2`\^B0`[a=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=
        1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hm
        T>1X`^B0hWa=1X`^B0hWa=1X`^B0hUf;1XXmD0h_R;1XXmD0h_R;1XXmD0hUf;1XXmD0h_R;1VV_D11WJgB320P?
        ;10P?!
        America/Swift_Current =
        2_d1o\101hegZ210!
        America/Tegucigalpa =
        2o\1_U106`d^\A1XZm<0h]RC1XZm<0hm\eA1XdR800!
        America/Thule =
        2oM_F0Q1`lnYE1Xho?0hoo?1Xho?0hec@1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1XjjA
        0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hUf;11o
        M_F320P?;10P?!
        America/Vancouver Canada/Pacific =
        2ok1_d10a3`cT:1Xho?0hoo?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c
        @0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1X
        ho?0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=
        1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hm
        T>1X`^B0hWa=1X`^B0hWa=1X`^B0hUf;1XXmD0h_R;1XXmD0h_R;1XXmD0hUf;1XXmD0h_R;1XXmD0h_R;1XXmD0
        h_R;1XXmD0h_R;1XXmD0h_R;1XXmD0hUf;1XXmD0h_R;1XXmD0h_R;1XXmD0h_R;1XXmD0h_R;1XXmD0hUf;1XXm
        D0h_R;1XXmD0h_R;1XXmD0h_R;1XXmD0h_R;1XXmD0h_R;10!
        America/Whitehorse Canada/Yukon =
        2ok1_d10a2`_Y[:1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hmT>1Xj
        jA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1
        XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa
        =1X`^B0hWa=1X`^B0hUf;1XXmD0h_R;1XXmD0h_R;1XXmD0hUf;1XXmD0h_R;1XXmD0h_R;1XXmD0h_R;1XXmD0h
        _R;1XXmD0h_R;1XXmD0hUf;1XXmD0h_R;1XXmD0h_R;1XXmD0h_R;1XXmD0h_R;10!
        America/Yakutat =
        2_S2ok10[2XgT:1Xho?0hoo?1X^c@0hoo?1Xho?0hoo?1Xho?0hoT61XhjI0hi^:1Xn`E0hoo?1X^c@0hY\?1X^c
        @0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1X
        ho?0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=
        1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hm
        T>1X`^B0hWa=1X`^B0hWa=1X`^B0hUf;11_S2ok1320P?;10P?!
        Antarctica/Casey =
        2Pl1`b20@`o^mW11hhS<0X_md11XnX:0X\he41h]\\10Xo^B1P[T>0XeeA1h\f=0Rd^B1f^T>0ZYkA1f^T>0ZYkA
        1n[l=00!
        Antarctica/Davis =
        2`U1`d114XS_mW10hSe<1XT\d10hUY:10!
        Antarctica/DumontDUrville Etc/GMT-10 Pacific/Chuuk Pacific/Port_Moresby Pacific/Truk
        Pacific/Yap =
        1P[2000!
        Antarctica/Macquarie =
        2P[2`b21a2Pfh50PfYD1PhY<0PfYD1Pf^:0PRaE1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1PRf;0P\mD1P\R;0P\m
        D1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1PTa=0PZRC1P^m<0PZRC1P\R;0P\mD1P\R;0P\mD1P\R;0P
        fYD1P^m<0PPfC1P^m<0PPfC1PhY<0PPfC1PhY<0PPfC1PTa=0Pbc@1PV\?0Pbc@1PV\?0Pbc@1PV\?0Pbc@1PV\?
        0Pbc@1Plo?0Pbc@1PV\?0Pbc@1PV\?0Pbc@1PV\?0Pbc@1PV\?0PTa=1Pd^B0PXWA1PV\?0Pbc@1PV\?0Pbc@1PV
        \?0Pbc@1PV\?0Pbc@1Plo?0Plo?1PV\?0PXWA1Plo?0Plo?1Plo?0Plo?1h`lW111P[2`b2:10P?410`F!
        Antarctica/Mawson =
        2`U1P]111PW_mW100!
        Antarctica/McMurdo Antarctica/South_Pole NZ Pacific/Auckland =
        2Pj2`Q30S2``Xk41PPk90PRaE1PRf;0P\mD1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1PR
        f;0P\mD1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1PRf;0P\mD1P\R;0PZRC1PjT>0PnjA1
        PjT>0PnjA1PjT>0PnjA1P`h>0PXWA1P`h>0PXWA1P`h>0PXWA1P`h>0PnjA1PjT>0PnjA1PjT>0PnjA1P`h>0PXW
        A1P`h>0PXWA1P`h>0PnjA1PjT>0PnjA1PjT>0PnjA1P`h>0PXWA1P`h>0PXWA1P`h>0PXWA1P`h>0PXWA11Pj2`Q
        3950P?410`F!
        Antarctica/Palmer =
        3oM_Fo>1V2XY[R42X`c81hWjP80hgW>1XPa=0hg^B1XPa=0h]RC1XZm<0h]RC1XZm<0h]RC1Xho?0hoo?1XPa=0h
        g^B1XPa=0h]RC1XZm<0hec@1XR\?0h]RC1XPa=0hg^B1XPa=0hg^B1XPa=0hg^B1XPa=0h]RC1XZm<0h]RC1X\h>
        0h[WA1XPa=0h[WA1X^c@0hec@1XPa=0h]RC1XZm<0h]RC1XZm<0h]RC1XZm<0h]RC1XPa=0hg^B1XPa=0hg^B1XP
        a=0h]RC1XZm<0h]RC1X\h>0h[WA1XPa=0hg^B1XR\?0hec@1X`^B0h]W91XdTF0h_R;1XXmD0hUf;1XbYD0hUf;1
        X\Tf10hQP810!
        Antarctica/Rothera =
        2_F011P\Pn600!
        Antarctica/Troll =
        1001PTYWS1010P?350`7:50`F!
        Antarctica/Vostok =
        30`U1`d123hgTUH0XdPH2XcQWM10!
        Arctic/Longyearbyen Atlantic/Jan_Mayen Europe/Berlin Europe/Copenhagen Europe/Oslo
        Europe/Stockholm =
        2`7P?0Q1h[]Y:1PV\?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?
        0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Pbc@11`
        7P?350P?:50`F!
        Asia/Almaty =
        3`U1P]1`d11a1`QQY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?
        2Plo?1Plo?2Plo?1Plo?2Pbc@1hkoO0PPk91XhT62Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Pbc@2Pd^B1PT
        a=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1`jb\C00!
        Asia/Amman =
        2P?`F0e2`PQ^31XnX:0h[dB1XV^=0h[dB1XV^=0hUgB1X\U@0hUm?1XV^=0haaB1XV^=0hig`61XbR@0h]X@1Xho
        ?0hoo?1Xho?0hoo?1X^c@0hUgB1XbX=0hQkA1XfT>0hgQA1XZZ>0h[WA1XR\?0hoo?1Xho?0hoo?1X\h>0hQkA1P
        jT>0PnjA1P`h>0PXWA1P`h>0PXWA1P`h>0P\TI1PR_70Ph`@1PfR@0PRm?1PfR@0Plo?1Plo?0Plo?1Pd^B0PTa=
        1PnjA0P`h>1Plo?0Plo?1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Xh[g10h
        gc81PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1PZRC0Pf^:10!
        Asia/Anadyr =
        4`b2Pj2`Q3PY32k1XWPY;3XbR@2heRP11hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2
        Plo?1Plo?2Plo?1Plo?2Pbc@1hkoO0PPk91XhT62Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Pbc@2Pd^B1PTa
        =2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1P
        ^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1hacP10P^m<10!
        Asia/Aqtau =
        3PN`U1P]11]1XkSi;2X^RP11hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?
        2Plo?1Plo?2Pbc@1hkoO0PPk91XhT62Plo?1Plo?2Plo?1Plo?2Plo?0hoo?1Plo?0Pbc@1Pd^B0PTa=1Pd^B0PT
        a=1Pd^B0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=10!
        Asia/Aqtobe =
        3PN`U1P]11^1XUQY;2XTU`11hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?
        2Plo?1Plo?2Pbc@1hkoO0PPk91XhT62Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Pbc@2Pd^B1PTa=2Pd^B1PT
        a=2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC10!
        Asia/Ashgabat Asia/Ashkhabad =
        3PN`U1P]11FXUQY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2P
        lo?1Plo?2Plo?1Plo?2Pbc@1hkoO0PPk910!
        Asia/Atyrau =
        3PN`U1P]11\1XkSi;2X^RP11hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?
        2Plo?1Plo?2Pbc@1hkoO0PPk91XhT62Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Pbc@2Pd^B1PTa=2Pd^B1PT
        a=2Pd^B1hacP10P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=10!
        Asia/Baghdad =
        2`FPN0d1hZh[<1XV^=0hUm?1X\U@0hiR@1XbR@0hoo?1hUm?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?
        0Plo?1Pbc@0`mR@1PfR@0PfR@1PfR@0Plo?1PfR@0Plo?1PfR@0Plo?1PfR@0PfR@1PfR@0Plo?1PfR@0Plo?1Pf
        R@0Plo?1PfR@0PfR@1PfR@0Plo?1PfR@0Plo?1PfR@0Plo?1PfR@0PfR@1PfR@0Plo?1PfR@0Plo?1PfR@0Plo?1
        PfR@00!
        Asia/Bahrain Asia/Qatar =
        2`FPN11PU`]200!
        Asia/Baku =
        3`FPN`U11n1PYQY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2P
        lo?1Plo?2Plo?1Plo?2Pbc@1hkoO0Plo?1`mbP42Pd^B1XPa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m
        <2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1P
        Ta=2PZRC1P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2Pd^B10!
        Asia/Bangkok Asia/Jakarta Asia/Phnom_Penh Asia/Vientiane Etc/GMT-7 Indian/Christmas =
        1`d1000!
        Asia/Barnaul =
        3P]1`d1Pl11P2hmPY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?
        2Plo?1Plo?2Plo?1Plo?2Pbc@1hkoO0PPk91XhT62Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2hj`51PU_:0Pbc@1Pd
        ^B0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1
        PZRC0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1X^Qc30ho`]110!
        Asia/Beirut =
        2P?`F0]1`^[_21Xnk80h[dB1XV^=0h[dB1XV^=0h[dB1XV^=0hUgB1XV^=0h[dB1XV^=0haaB1XV^=0hcYc51X\h
        >0hUZA1X\h>0hUZA1X\h>0hUZA1X\h>0hUTD1XVQ<0h_SB1XRo=0hUZA1X\h>0hUZA1X\h>0ho\A1Xdf=0hY\?1X
        ho?0hoo?1Xho?0hoo?1Xho?0hec@1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?11P?`F3500:500!
        Asia/Bishkek =
        3`U1P]1`d11`1`QQY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?
        2Plo?1Plo?2Plo?1Plo?2Pbc@1PV^M0XfhC1X\h>0h[WA1X\h>0h[WA1X\h>0h[WA1X\h>0h[WA1XR\?0TYP@1X`
        ^B0hWa=1X`^B0hWa=1XVRC0ham<1XVRC0ham<1XVRC0hWa=1X`^B0hWa=1X`^B0hWa=1XVRC0ham<10!
        Asia/Brunei Asia/Kuching Asia/Makassar Asia/Ujung_Pandang Etc/GMT-8 =
        1Pl1000!
        Asia/Calcutta Asia/Kolkata =
        1XY1000!
        Asia/Chita =
        3Pl1`S2P[21o1XfPY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?
        2Plo?1Plo?2Plo?1Plo?2Pbc@1hkoO0PPk91XhT62Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Pbc@2Pd^B1PT
        a=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1
        P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2X^Qc30`Sa]110!
        Asia/Choibalsan Asia/Ulaanbaatar Asia/Ulan_Bator =
        3`d1Pl1`S20a1hYiP81Xd\X52XbR@1hiR@2Xho?1hoo?2Xho?1hoo?2Xho?1hoo?2Xho?1hoo?2Xho?1hoo?2Xho
        ?1hoo?2X^c@1hoo?2Xho?1hoo?2Xho?1hoo?2Xho?1hoo?2Xho?1hoo?2Xho?1hec@2Xho?1hoo?2Xho?1hoo?2X
        ho?1X[ob22XPa=1hoo?2Xho?1hoo?2Xho?1hoo?2Xho?1hoo?2Xho?1hoo?2X^c@1hea`82h`o?1XWP@2h`o?10!
        Asia/Chongqing Asia/Chungking Asia/Harbin Asia/Shanghai PRC =
        2Pl1`S20<`_]\@1Xne;0hg^B1XPa=0h]RC1XZm<0h]RC1XPa=0hg^B1XPa=0hg^B1XPa=00!
        Asia/Colombo =
        3XY1P]1h`103\eZ_J2TRa=1lem_900!
        Asia/Dacca Asia/Dhaka =
        2P]1`d102h[mbW11P^TA00!
        Asia/Damascus =
        2P?`F0o2P`a:1XV^=0h[dB1XV^=0hUgB1XV^=0h[dB1XV^=0h[dB1XV^=0h[dB1XV^=0hUgB1XV^=0h[dB1Xji:0
        hgXE1Xji:0hmgc41XR\?0hYi@1XR\?0hiV\11XjdD0hYb<1XT^E0hcn;1XhVD0hiX=1X\U@0hoo?1Xho?0XbR@1X
        bR@0h_f@1Xl^?0hS_?1XbR@0hk`@1XbR@0hoo?1XbR@0hiR@1XbR@0hUm?1X\U@0h[j?1XVX@0hoo?1XbR@0hiR@
        1XbR@0hoo?1XbR@0hoo?1XbR@0hoo?1XbR@0hiR@1XbR@0hoo?1XbR@0hoo?1XXY?0hec@1XVRC0hWa=1XZaB0hg
        j<1XVRC0hWa=1X`^B0hWa=1X`^B0hWa=1X`^B0hWa=1X`^B0hWa=1XVRC0ham<1XVRC0ham<1XVRC0hWa=1X`^B0
        hWa=1X`^B0hWa=1X`^B0hWa=1XVRC0ham<1XVRC0ham<10!
        Asia/Dili =
        2Pl1`S212XR[[60hi_^H10!
        Asia/Dubai Asia/Muscat Etc/GMT-4 Indian/Mahe Indian/Reunion =
        1PN000!
        Asia/Dushanbe =
        3`U1P]1`d11E`QQY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2
        Plo?1Plo?2Plo?1Plo?2Pbc@1hcWN00!
        Asia/Famagusta =
        2P?`F0d2`X^Y51Xho?0hcoB1XnR=0h_Y?1XR\?0hec@1XbR@0hUm?1Xho?0hec@1XR\?0hoo?1Xho?0hoo?1Xho?
        0hoo?1Xho?0hoo?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hoo?1Xh
        o?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hec@1Xho?0hoo?1Xho?0hoo?1Xo^B0PTa=1PZRC0P^m<1
        PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa
        =1Pd^B0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1Pd^B0PTa=1PRRc101P?`F350`F
        :50PN!
        Asia/Gaza =
        2P?`F0`8`hj`41X`c80hec@1Xne;0hiSn41PTf30Pdld31PPk90PfYD1XdY<0hahF1Xlj90hkZC1XbX=0hg^B1XZ
        m<0h_mD1XXR;0hQkA1XPa=0hg^B1XfT>0hg^B1XfT>0hSYB1Xdf=0hSYB1XnR=0hilB1Xdf=0hilB1P`h>0PXWA1
        P`h>0PXWA1P`h>0Pd^B1Xho?0hec@1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1P`h>0PXWA1hkS?0XZg
        ?1XXY?0hYi@1hU`>0XnYA1XPa=0hg^B1PjT>0RhmA1VVQ<0j]_D1VPg:0hgXE1PV\?0Pbc@1Xho?0hoo?1X`^B0h
        Qd=1Pj[B0hQd=1XVRC0ham<1XVRC0ham<1XVRC0PZ^=1XZaB0hWa=1Pd^B0PTa=1P`oB0PRS=1hcoB0hoo?1Xho?
        0hY\?1X^c@0hch>1XTWA0hWa=1X`^B0hWa=1XVRC0ham<1XVRC0ham<1XVRC0hWa=1X`^B0hWa=1X`^B0hWa=1XV
        RC0ham<1XVRC0ham<1XVRC0ham<1XVRC0hWa=1XjjA0hmT>1XTWA0hch>1Xho?0hoo?1XR\?0hec@1XfT>0hmY41
        XbC0hWa=1XZm<0hWf31Xnj10hWa=1XdY<0hWf31Xd^20hWa=1XXR;0hmY41XZR30hWa=1Xb^:0hWf31X\m40ham<
        1Xlj90hWf31XRa50ham<1X`c80hmY41XhT60hWa=1XT\70hWf31XT\70hWa=1XhT60hmY41Xjo70hWa=1XRa50hW
        f31Xlj90ham<1X\m40hWf31Xb^:0ham<1XPf30hmY41XXR;0hWa=1Xd^20hWf31XdY<0hWa=1XXW10hmY41XZm<0
        hWa=1XbC0hmY41XPa=0h[WA1XR\?0hoo?1Xho?0hch>1XTWA0hmT>1XjjA0hWa=1X`^B0hWa=1XVRC0ham<1XVRC
        0ham<1XVRC0ham<1XVRC0hWa=1X`^B0hWa=1X`^B0hWa=1XVRC0ham<1XVRC0ham<1X`^B0hmT>1XTWA0hch>1X^
        c@0hY\?1XR\?0hec@1X\h>0hWf31XbC0ham<1XfT>0hWf31XXW10ham<1XZm<0hmY41Xnj10hWa=1Xne;0hWf31X
        ZR30hWa=1Xb^:0hmY41XPf30hWa=1Xlj90hmY41X\m40ham<1XVW90hWf31XhT60ham<1Xjo70hmY41X^h60hWa=
        1X^h60hWf31Xjo70hWa=1XhT60hWf31X`c80hWa=1X\m40hmY41XVW90hWa=1XfY40hWf31XXR;0ham<1XZR30hm
        Y41Xne;0ham<1Xd^20hmY41XdY<0hWa=1XXW10hWf31XPa=01P?`F344Pg;:44Pg;!
        Asia/Hebron =
        2P?`F0b8`hj`41X`c80hec@1Xne;0hiSn41PTf30Pdld31PPk90PfYD1XdY<0hahF1Xlj90hkZC1XbX=0hg^B1XZ
        m<0h_mD1XXR;0hQkA1XPa=0hg^B1XfT>0hg^B1XfT>0hSYB1Xdf=0hSYB1XnR=0hilB1Xdf=0hilB1P`h>0PXWA1
        P`h>0PXWA1P`h>0Pd^B1Xho?0hec@1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1P`h>0PXWA1hkS?0XZg
        ?1XXY?0hYi@1hU`>0XnYA1X^i=0hYVB1PjT>0PnjA1XPT<0j]_D1VPg:0hea21XRg20hoo?1PV\?0Pbc@1Xho?0h
        oo?1X`^B0hQd=1Pj[B0hQd=1XVRC0ham<1XVRC0ham<1XVRC0PZ^=1XZaB0hWa=1Pd^B0PTa=1P`oB0PRS=1hcoB
        0hoo?1Xho?0hY\?1X^c@0hch>1XTWA0hWa=1X`^B0hWa=1XVRC0ham<1XVRC0ham<1XVRC0hWa=1X`^B0hWa=1X`
        ^B0hWa=1XVRC0ham<1XVRC0ham<1XVRC0ham<1XVRC0hWa=1XjjA0hmT>1XTWA0hch>1Xho?0hoo?1XR\?0hec@1
        XfT>0hmY41XbC0hWa=1XZm<0hWf31Xnj10hWa=1XdY<0hWf31Xd^20hWa=1XXR;0hmY41XZR30hWa=1Xb^:0hWf3
        1X\m40ham<1Xlj90hWf31XRa50ham<1X`c80hmY41XhT60hWa=1XT\70hWf31XT\70hWa=1XhT60hmY41Xjo70hW
        a=1XRa50hWf31Xlj90ham<1X\m40hWf31Xb^:0ham<1XPf30hmY41XXR;0hWa=1Xd^20hWf31XdY<0hWa=1XXW10
        hmY41XZm<0hWa=1XbC0hmY41XPa=0h[WA1XR\?0hoo?1Xho?0hch>1XTWA0hmT>1XjjA0hWa=1X`^B0hWa=1XVRC
        0ham<1XVRC0ham<1XVRC0ham<1XVRC0hWa=1X`^B0hWa=1X`^B0hWa=1XVRC0ham<1XVRC0ham<1X`^B0hmT>1XT
        WA0hch>1X^c@0hY\?1XR\?0hec@1X\h>0hWf31XbC0ham<1XfT>0hWf31XXW10ham<1XZm<0hmY41Xnj10hWa=1X
        ne;0hWf31XZR30hWa=1Xb^:0hmY41XPf30hWa=1Xlj90hmY41X\m40ham<1XVW90hWf31XhT60ham<1Xjo70hmY4
        1X^h60hWa=1X^h60hWf31Xjo70hWa=1XhT60hWf31X`c80hWa=1X\m40hmY41XVW90hWa=1XfY40hWf31XXR;0ha
        m<1XZR30hmY41Xne;0ham<1Xd^20hmY41XdY<0hWa=1XXW10hWf31XPa=01P?`F344Pg;:44Pg;!
        Asia/Ho_Chi_Minh Asia/Saigon =
        2`d1Pl111PTi^500!
        Asia/Hong_Kong Asia/Macao Asia/Macau Hongkong =
        2Pl1`S20@TW_91Xho?0hoo?1Xho?0hoo?1X^c@0hoo?1Xho?0hoT61XhjI0hoo?1Xho?0hoo?1Xho?0hW^b21XfT
        >00!
        Asia/Hovd =
        3P]1`d1Pl10a1`]iP81Xd\X52XbR@1hiR@2Xho?1hoo?2Xho?1hoo?2Xho?1hoo?2Xho?1hoo?2Xho?1hoo?2Xho
        ?1hoo?2X^c@1hoo?2Xho?1hoo?2Xho?1hoo?2Xho?1hoo?2Xho?1hoo?2Xho?1hec@2Xho?1hoo?2Xho?1hoo?2X
        ho?1X[ob22XPa=1hoo?2Xho?1hoo?2Xho?1hoo?2Xho?1hoo?2Xho?1hoo?2X^c@1hea`82h`o?1XWP@2h`o?10!
        Asia/Irkutsk =
        3`d1Pl1`S21n1PjPY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?
        2Plo?1Plo?2Plo?1Plo?2Pbc@1hkoO0PPk91XhT62Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Pbc@2Pd^B1PT
        a=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1
        P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2X^Qc310!
        Asia/Istanbul Europe/Istanbul Turkey =
        3P?`FPN0]2Xfh]31PTa=0ham<1XVRC0hQW<1XfhC0hkY<1XleC0hWa=1XTWA0hch>1XPQ[52XRa51hkiR10PTn>1
        PjT>0PfR@1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0PV\
        ?1Pbc@0Plo?1Plo?0Pbc@1Pd^B0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0P
        Ta=1Pd^B0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0`em<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0PXP=1P`oB
        0P^m<1PZRC0PTa=1Pd^B0Pnc=1Pj[B0PTa=1PPfC0PhY<10!
        Asia/Jayapura Asia/Tokyo Etc/GMT-9 Japan Pacific/Palau =
        1`S2000!
        Asia/Jerusalem Asia/Tel_Aviv Israel =
        2P?`F0Q2`hj`41X`c80hec@1Xne;0hiSn41PTf30Pdld31PPk90PfYD1XdY<0hahF1Xlj90hkZC1XbX=0hg^B1XZ
        m<0h_mD1XXR;0hQkA1XPa=0hg^B1XfT>0hg^B1XfT>0hSYB1Xdf=0hSYB1XnR=0hilB1Xdf=0hgQA1XVX@0hW[@1
        Xfa?0hQ^@1XPn>0X[YB1XPa=0hSfC1`n[?0h]X@1X\h>0hW[@1Xlk@0hkS?1X^c@0hQ^@1X\h>0`]i@1XRi@0heV
        ?1X\U@0h[j?1XPn>0hgQA1XRi@0heV?1X\U@0h[j?1XPn>0h]eA1X\U@0h[j?1Xfa?0hQ^@11P?`F344PS6:50P?
        !
        Asia/Kabul =
        1hQ1000!
        Asia/Kamchatka =
        3`b2Pj2`Q31l1P[PY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?
        2Plo?1Plo?2Plo?1Plo?2Pbc@1hkoO0PPk91XhT62Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Pbc@2Pd^B1PT
        a=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1
        P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1hacP10P^m<10!
        Asia/Karachi =
        2`U1P]106Xme[P11Xho?0hm_e51XV^=0hU`>1X\bA00!
        Asia/Kashgar Asia/Urumqi Etc/GMT-6 =
        1P]1000!
        Asia/Kathmandu Asia/Katmandu =
        2XY1T[101\ccQ@10!
        Asia/Khandyga =
        4Pl1`S2P[2`b21P2XfPY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1P
        lo?2Plo?1Plo?2Plo?1Plo?2Pbc@1hkoO0PPk91XhT62Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Pbc@2Pd^B
        1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1`Vl52hid73PZRC2P^
        m<3PZRC2P^m<3PZRC2P^m<3PZRC2PTa=3Pd^B2PTa=3Pd^B2PTa=3PZRC2P^m<3hhm>2XiST310!
        Asia/Krasnoyarsk =
        3P]1`d1Pl11n1hmPY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?
        2Plo?1Plo?2Plo?1Plo?2Pbc@1hkoO0PPk91XhT62Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Pbc@2Pd^B1PT
        a=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1
        P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2X^Qc310!
        Asia/Kuala_Lumpur Asia/Singapore Singapore =
        2Xh1Pl101PXVQ<10!
        Asia/Magadan =
        3P[2`b2Pj21o1h^PY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?
        2Plo?1Plo?2Plo?1Plo?2Pbc@1hkoO0PPk91XhT62Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Pbc@2Pd^B1PT
        a=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1
        P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2X^Qc30`ko_110!
        Asia/Manila =
        2Pl1`S204P`XX71X`d?0hS]f<1XnQ600!
        Asia/Nicosia Europe/Nicosia =
        2P?`F0`1`X^Y51Xho?0hcoB1XnR=0h_Y?1XR\?0hec@1XbR@0hUm?1Xho?0hec@1XR\?0hoo?1Xho?0hoo?1Xho?
        0hoo?1Xho?0hoo?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1X^c@0hoo?1Xh
        o?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hec@1Xho?0hoo?1Xho?0hoo?1Xdf=11P?`F350`F:50PN
        !
        Asia/Novokuznetsk =
        3P]1`d1Pl11l1hmPY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?
        2Plo?1Plo?2Plo?1Plo?2Pbc@1hkoO0PPk91XhT62Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Pbc@2Pd^B1PT
        a=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1
        P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1hacP10P^m<10!
        Asia/Novosibirsk =
        3P]1`d1Pl11P2hmPY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?
        2Plo?1Plo?2Plo?1Plo?2Pbc@1hkoO0PPk91XhT62Plo?1Plo?2hTm41PkR;0Plo?1Plo?0Plo?1Plo?0Pbc@1Pd
        ^B0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1
        PZRC0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1X^Qc30heog110!
        Asia/Omsk =
        3`U1P]1`d11n1`QQY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?
        2Plo?1Plo?2Plo?1Plo?2Pbc@1hkoO0PPk91XhT62Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Pbc@2Pd^B1PT
        a=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1
        P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2X^Qc310!
        Asia/Oral =
        3PN`U1P]11\1XUQY;2XTU`11hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1hkoO
        0Plo?1Pbc@0Plo?1Plo?0PPk91PhTF0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Pbc@1Pd^B0PTa=1Pd^B0PTa=1Pd
        ^B0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=10!
        Asia/Pontianak =
        2`d1Pl111P^hQB00!
        Asia/Pyongyang =
        2ho1`S212Xj\h]10Pd[g210!
        Asia/Qostanay =
        3PN`U1P]11^1XUQY;2XTU`11hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?
        2Plo?1Plo?2Pbc@1hkoO0PPk91XhT62Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Pbc@2Pd^B1PTa=2Pd^B1PT
        a=2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2hPeoC10!
        Asia/Qyzylorda =
        2`U1P]10\1XUQY;1XTU`10hoo?1XbR@0hiR@1`SP@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1P
        lo?0Plo?1Pbc@0PhjY11PhTF0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Pbc@1Pd^B0PTa=1Pd^B0PTa=1Pd^B0PTa
        =1PZRC0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1hfmh>00!
        Asia/Rangoon Asia/Yangon Indian/Cocos =
        1h`1000!
        Asia/Sakhalin =
        3P[2`b2Pj21n1h^PY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?
        2Plo?1Plo?2Plo?1Plo?2Pbc@1hkoO0PPk91XhT62Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Pbc@2Pd^B1hk
        oO0PTa=1Pd^B0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1PZRC0P^m<1
        PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1X^Qc30ho`]110!
        Asia/Samarkand =
        2`U1P]10DXUQY;1XTU`10hoo?1XbR@0hiR@1`SP@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pl
        o?0Plo?1Pbc@0Plo?1Plo?00!
        Asia/Seoul ROK =
        2`S2P[204hiP]A1PTa=0Pd^B1PTa=00!
        Asia/Srednekolymsk =
        3P[2`b2Pj21n1h^PY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?
        2Plo?1Plo?2Plo?1Plo?2Pbc@1hkoO0PPk91XhT62Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Pbc@2Pd^B1PT
        a=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1
        P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2X^Qc310!
        Asia/Taipei ROC =
        2Pl1`S206PXYX41XbR@0hoo?1XbR@0h]Zh31XdR800!
        Asia/Tashkent =
        3`U1P]1`d11E`QQY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2
        Plo?1Plo?2Plo?1Plo?2Pbc@1hkoO00!
        Asia/Tbilisi =
        3`FPN`U11^1PYQY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2P
        lo?1Plo?2Plo?1Plo?2Pbc@1hkoO0`do?1Xho?0hoo?1Xho?0hoo?1XdoO2Xho?1hec@2XX^b11hWa=2X`^B1hWa
        =2XVRC1ham<2XVRC1ham<2XVRC1hWa=2X`^B1hWa=2X`^B1hWa=2Xjo71PkR;0P^m<10!
        Asia/Tehran Iran =
        4XJPNhQ1`U10U2TQhW72PRgB1loc=3PRf;1Pdc80lYWA2XTV:0hcU@2XP[@0hg_d:2XX_<0hoo?2X\U@0hUm?2X\
        U@0hUm?2X\U@0hUm?2X\U@0hUm?2X\U@0hoo?2X\U@0hUm?2X\U@0hUm?2X\U@0hUm?2X\U@0hoo?2X\U@0hUm?2
        X\U@0hUm?2X\U@0hUm?2X\U@0hoo?2X\U@0hYR`22X\U@0hoo?2X\U@0hUm?2X\U@0hUm?2X\U@0hUm?2X\U@0ho
        o?2X\U@0hUm?2X\U@0hUm?2X\U@0hUm?2X\U@0hoo?2X\U@0hUm?2X\U@0hUm?2X\U@0hUm?2X\U@0hoo?2X\U@0
        hUm?2X\U@00!
        Asia/Thimbu Asia/Thimphu =
        2XY1P]101\oeiA10!
        Asia/Tomsk =
        3P]1`d1Pl11P2hmPY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?
        2Plo?1Plo?2Plo?1Plo?2Pbc@1hkoO0PPk91XhT62Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Pbc@2Pd^B1PT
        a=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m<2PZRC1PTa=2PVg21hag?0PTa=1Pd^B0PTa=1PZRC0P^m<1
        PZRC0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1X^Qc30hURc110!
        Asia/Ust-Nera =
        4`S2P[2`b2Pj20o1XfPY;3hZR@2hoo?3XbR@2hoo?3XbR@2hiR@3`SP@2Plo?3Plo?2Plo?3Plo?2Plo?3Plo?2P
        lo?3Plo?2Plo?3Plo?2Plo?3Pbc@2hkoO1PPk92XhT63Plo?2Plo?3Plo?2Plo?3Plo?2Plo?3Plo?2Pbc@3Pd^B
        2PTa=3Pd^B2PTa=3Pd^B2PTa=3PZRC2P^m<3PZRC2P^m<3PZRC2PTa=3Pd^B2PTa=3Pd^B2PTa=3PZRC2P^m<3PZ
        RC2P^m<3PZRC2P^m<3PZRC2PTa=3Pd^B2PTa=3Pd^B2PTa=3PZRC2P^m<3hhm>2XiST310!
        Asia/Vladivostok =
        3`S2P[2`b21n1`bPY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?
        2Plo?1Plo?2Plo?1Plo?2Pbc@1hkoO0PPk91XhT62Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Pbc@2Pd^B1PT
        a=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1
        P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2X^Qc310!
        Asia/Yakutsk =
        3Pl1`S2P[21n1XfPY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?
        2Plo?1Plo?2Plo?1Plo?2Pbc@1hkoO0PPk91XhT62Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Pbc@2Pd^B1PT
        a=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1
        P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2X^Qc310!
        Asia/Yekaterinburg =
        3PN`U1P]11n1XUQY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2
        Plo?1Plo?2Plo?1Plo?2Pbc@1hkoO0PPk91XhT62Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Pbc@2Pd^B1PTa
        =2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1P
        ^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2X^Qc310!
        Asia/Yerevan =
        3`FPN`U11j1PYQY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2P
        lo?1Plo?2Plo?1Plo?2Pbc@1hkoO0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1XRcP22Pd^B1PTa=2Pd^B1PTa
        =2PZRC1P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m<2PZRC1P^m<2PZRC1P
        Ta=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC10!
        Atlantic/Azores =
        3_70`70OhUiX<1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?
        0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0hQP81Xjo72PjS71PRl80Plo?1Plo?0Plo?1Plo?0Pbc@11_703500:50`
        7!
        Atlantic/Bermuda =
        2oM_F0S2`jfZ41Xho?0hoo?1Xho?0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?
        0hoo?1X^c@0hY\?1X^c@0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`
        ^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1XjjA0hmT>1
        X`^B0hWa=1X`^B0hWa=1X`^B0hmT>1XjjA0hmT>1XjjA0hmT>1X`^B0hWa=1X`^B0hWa=1X`^B0hUf;11oM_F320
        P?;10P?!
        Atlantic/Canary =
        20`70Q1PX]Y:1hY\?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0
        Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Pbc@110`
        7350`7:50P?!
        Atlantic/Cape_Verde =
        2o>_701PcZm510!
        Atlantic/Faeroe Atlantic/Faroe =
        20`70Oh]iX;1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0P
        lo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Pbc@110`7350`7:50P?
        !
        Atlantic/Madeira =
        20`70MPh\Y<1PV\?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1hoo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0P
        lo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Pbc@110`7350`7:50P?!
        Atlantic/South_Georgia Etc/GMT+2 =
        1o>000!
        Atlantic/Stanley =
        3oM_Fo>0g1Pgk[=1XZm<2XVRC1hkY<2XleC1hU\O0ham<1XVRC0ham<1XVRC0ham<1XVRC0ham<1XleC0hkY<1Xl
        eC0ham<1XVRC0ham<1XVRC0ham<1XVRC0ham<1XVRC0ham<1XleC0ham<1XVRC0ham<1XVRC0ham<1XVRC0ham<1
        XVRC0ham<1h]RC0hkY<1XbYD0hUf;1XbYD0hkY<1XleC0hkY<1XleC0hkY<1XleC0hkY<1XleC0hkY<1XbYD0hkY
        <1XleC0hkY<1XleC0hkY<10!
        Australia/ACT Australia/Canberra Australia/NSW Australia/Sydney =
        2P[2`b20Z2Pjej11Pf^:0PRaE1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1PRf;0P\mD1P\R;0P\mD1P\R;0P\mD1P\
        R;0P\mD1P\R;0P\mD1P\R;0P\mD1PjT>0Pd^B1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1PhY<0PZRC1P^m<0PPfC1
        P^m<0PPfC1PhY<0PPfC1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1PRf;0P\mD1P\R;0P\mD1P\R;0P\mD1PTa=0Pd^
        B1PTa=0Pd^B1PTa=0Pd^B1PTa=0PZRC1P^m<0PTa=1Pd^B0PZRC1PTa=0Pd^B1PTa=0Pd^B1PTa=0PZRC1P^m<0P
        ZRC1PTa=0Pd^B1P^m<0PZRC1PjT>01P[2`b2:10P?410`F!
        Australia/Adelaide Australia/South =
        2XW2h^20Z2lkej11Pf^:0PRaE1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1PRf;0P\mD1P\R;0P\mD1P\R;0P\mD1P\
        R;0P\mD1P\R;0P\mD1P\R;0P\mD1PRf;0P\mD1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1PhY<0PZRC1P^m<0PPfC1
        P^m<0PPfC1PhY<0PPfC1PhY<0PPfC1P\R;0P\mD1P^m<0PZRC1PRf;0P\mD1PhY<0PPfC1P^m<0PZRC1PTa=0Pd^
        B1PTa=0Pd^B1PTa=0Pd^B1PTa=0PZRC1P^m<0PZRC1P^m<0PZRC1PTa=0Pd^B1PTa=0Pd^B1PTa=0PZRC1P^m<0P
        ZRC1PTa=0Pd^B1P^m<0PZRC1PjT>01XW2h^2:10P?410`F!
        Australia/Brisbane Australia/Queensland =
        2P[2`b208Pjej11Pf^:0PlWgA1P\R;0P\mD1P\R;0P\mD1P\R;00!
        Australia/Broken_Hill Australia/Yancowinna =
        2XW2h^20Z2lkej11Pf^:0PRaE1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1PRf;0P\mD1P\R;0P\mD1P\R;0P\mD1P\
        R;0P\mD1P\R;0P\mD1P\R;0P\mD1PjT>0Pd^B1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1PhY<0PZRC1P^m<0PPfC1
        P^m<0PPfC1PhY<0PPfC1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1PRf;0P\mD1P\R;0P\mD1P\R;0P\mD1PTa=0Pd^
        B1PTa=0Pd^B1PTa=0Pd^B1PTa=0PZRC1P^m<0PZRC1P^m<0PZRC1PTa=0Pd^B1PTa=0Pd^B1PTa=0PZRC1P^m<0P
        ZRC1PTa=0Pd^B1P^m<0PZRC1PjT>01XW2h^2:10P?410`F!
        Australia/Currie Australia/Hobart Australia/Tasmania =
        2P[2`b21\2Pfh50PfYD1PhY<0PfYD1Pf^:0PRaE1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1PRf;0P\mD1P\R;0P\m
        D1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1PTa=0PZRC1P^m<0PZRC1P\R;0P\mD1P\R;0P\mD1P\R;0P
        fYD1P^m<0PPfC1P^m<0PPfC1PhY<0PPfC1PhY<0PPfC1PTa=0Pbc@1PV\?0Pbc@1PV\?0Pbc@1PV\?0Pbc@1PV\?
        0Pbc@1Plo?0Pbc@1PV\?0Pbc@1PV\?0Pbc@1PV\?0Pbc@1PV\?0PTa=1Pd^B0PXWA1PV\?0Pbc@1PV\?0Pbc@1PV
        \?0Pbc@1PV\?0Pbc@1Plo?0Plo?1PV\?0PXWA11P[2`b2:10P?410`F!
        Australia/Darwin Australia/North =
        1XW2000!
        Australia/Eucla =
        2dQ2TY20<fVej41P\R;0PhRf81P\R;0P\Zg71PZW90P\gi>1PPk90PZRC1PTa=0Pd^B1PTa=00!
        Australia/LHI Australia/Lord_Howe =
        4P[2h^2`b2Xf20g1`\YV;1damD3Xne;1h_mD3XXR;1h_mD3XXR;1h_mD3XXR;1h_mD2TfY<1l[RC2T\m<1lQfC2T
        \m<1lQfC2TfY<1lQfC2TZR;1l]mD2TZR;1l]mD2TZR;1l]mD2TPf;1l]mD2TZR;1l]mD2TZR;1l]mD2TRa=1le^B
        2TRa=1le^B2TRa=1le^B2TRa=1l[RC2T\m<1lUa=2Tb^B1l[RC2TRa=1le^B2TRa=1le^B2TRa=1l[RC2T\m<1l[
        RC2TRa=1le^B2T\m<1l[RC2ThT>11h^2`b2:10P?410P?!
        Australia/Lindeman =
        2P[2`b20<Pjej11Pf^:0PlWgA1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1PRf;0P\mD1P\R;00!
        Australia/Melbourne Australia/Victoria =
        2P[2`b20Z2Pjej11Pf^:0PRaE1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1PRf;0P\mD1P\R;0P\mD1P\R;0P\mD1P\
        R;0P\mD1P\R;0P\mD1P\R;0P\mD1PRf;0P\mD1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1PhY<0PZRC1P^m<0PZRC1
        PTa=0PPfC1PhY<0PPfC1PhY<0PPfC1P\R;0P\mD1P\R;0P\mD1PRf;0P\mD1P\R;0P\mD1P^m<0PZRC1PTa=0Pd^
        B1PTa=0Pd^B1PTa=0Pd^B1PTa=0PZRC1P^m<0PTa=1Pd^B0PZRC1PTa=0Pd^B1PTa=0Pd^B1PTa=0PZRC1P^m<0P
        ZRC1PTa=0Pd^B1P^m<0PZRC1PjT>01P[2`b2:10P?410`F!
        Australia/Perth Australia/West =
        2Pl1`S20<`Yej41P\R;0PhRf81P\R;0P\Zg71PZW90P\gi>1PPk90PZRC1PTa=0Pd^B1PTa=00!
        CET Europe/Amsterdam Europe/Brussels Europe/Luxembourg MET =
        2`7P?0W1h]jX71PV\?0Pbc@1Plo?0Plo?1Plo?0Pbc@1PV\?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@
        0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Pl
        o?0Plo?1Plo?0Plo?1Plo?0Pbc@11`7P?350P?:50`F!
        Chile/EasterIsland Pacific/Easter =
        3_d1o\1_U11X3XQe70h[WA1XPa=0hg^B1XPa=0h]RC1XZm<0hQkA1XfT>0h]RC1XZm<0h]RC1XPa=0hg^B1XPa=0
        hg^B1XPa=0h]RC1XZm<0h]RC1XZm<0h]RC1XPa=0hg^B1PhoO2XPa=1hg^B2XPa=1h]RC2XZm<1h]RC2XZm<1h]R
        C2Xho?1hoo?2XPa=1hg^B2XPa=1h]RC2XZm<1hec@2XR\?1h]RC2XPa=1hg^B2XPa=1hg^B2XPa=1hg^B2XPa=1h
        ]RC2XZm<1h]RC2X\h>1h[WA2XPa=1h[WA2X^c@1hec@2XPa=1h]RC2XZm<1h]RC2XZm<1h]RC2XZm<1h]RC2XPa=
        1hg^B2XPa=1hg^B2XPa=1h]RC2XZm<1h]RC2X\h>1h[WA2XPa=1hg^B2XR\?1hec@2X`^B1h]W92XdTF1h_R;2XX
        mD1hUf;2XbYD1hUf;2X\Tf11hQP82XfoG1hQP82XfoG1hQP82XXmD1hWa=2X`^B1hWa=2X`^B1hWa=2X`^B1hmT>
        2XjjA11o\1_U1916PU5416PU5!
        EET Europe/Athens =
        2P?`F0[1`^[Y51PXQD0`aQ<1Plo?0PV\?1PP_?0Ph`@1hY\?0`Xd@1PTl?0XVX@1XTj?0P[P@1Plo?0Plo?1Plo?
        0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Pl
        o?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Pbc@11P?`F350`F:50PN!
        Eire Europe/Dublin =
        20`71b1`ofj10PhY<1PPfC0PhY<1PPfC0PhY<1PPfC0PhY<1PPfC0P^m<1PZRC0P^m<1PZRC0P^m<1PPfC0PhY<1
        PPfC0PhY<1PPfC0XPa=1Pd^B0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1Pd^B0PTa
        =1Pd^B0PTa=1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1Pd^B0PTa=1Pd^B0PTa=1Pd^B0PjT>11`70:5
        0P?350`7!
        Etc/GMT+1 =
        1_7000!
        Etc/GMT+10 HST Pacific/Honolulu Pacific/Johnston Pacific/Tahiti US/Hawaii =
        1oZ2000!
        Etc/GMT+11 Pacific/Midway Pacific/Niue Pacific/Pago_Pago Pacific/Samoa US/Samoa =
        1_b2000!
        Etc/GMT+12 =
        1oi2000!
        Etc/GMT+8 =
        1ok1000!
        Etc/GMT+9 Pacific/Gambier =
        1_S2000!
        Etc/GMT-11 Pacific/Guadalcanal Pacific/Pohnpei Pacific/Ponape =
        1`b2000!
        Etc/GMT-12 Pacific/Funafuti Pacific/Majuro Pacific/Tarawa Pacific/Wake Pacific/Wallis =
        1Pj2000!
        Etc/GMT-13 =
        1`Q3000!
        Etc/GMT-14 =
        1PY3000!
        Etc/GMT-5 Indian/Kerguelen Indian/Maldives =
        1`U1000!
        Europe/Andorra =
        2`7P?0GhS\Y?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0
        Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Pbc@11`7P?350P?:50`F!
        Europe/Astrakhan =
        3`FPN`U11l1PYQY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2P
        lo?1hkoO0Plo?1Pbc@0Plo?1Pdo_10Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Pbc@1Pd^B0PTa=1Pd^B0PTa=1Pd^
        B0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0P^m<1P
        ZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1X^Qc30ho`]110!
        Europe/Belfast Europe/Guernsey Europe/Isle_of_Man Europe/Jersey Europe/London GB GB-Eire =
        20`71b1`ofj10PhY<1PPfC0PhY<1PPfC0PhY<1PPfC0PhY<1PPfC0P^m<1PZRC0P^m<1PZRC0P^m<1PPfC0PhY<1
        PPfC0PhY<1PPfC0XPa=1Pd^B0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1Pd^B0PTa
        =1Pd^B0PTa=1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1Pd^B0PTa=1Pd^B0PTa=1Pd^B0XbW6010`735
        0`7:50P?!
        Europe/Belgrade Europe/Ljubljana Europe/Podgorica Europe/Sarajevo Europe/Skopje Europe/Zagreb =
        2`7P?0KhmhX=1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0
        Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Pbc@11`7P?350P?:50`F!
        Europe/Bratislava Europe/Prague =
        2`7P?0S1hmiX91Plo?0Pbc@1PV\?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?
        0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pl
        o?0Pbc@11`7P?350P?:50`F!
        Europe/Bucharest =
        2P?`F0U1`Rg]91XXR;0Pbc@1hY\?0`SP@1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?
        0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0`do?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Xho?0hoo?1Xh
        o?0hec@1X`^B0hgi501P?`F350`F:50PN!
        Europe/Budapest =
        2`7P?0Q1XT]Y:1PV\?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0`SP@1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?
        0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Pbc@11`
        7P?350P?:50`F!
        Europe/Busingen Europe/Vaduz Europe/Zurich =
        2`7P?0Oh]iX;1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0
        Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Pbc@11`7P?350P?:50
        `F!
        Europe/Chisinau Europe/Tiraspol =
        3P?`FPN1d2h\QY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Pl
        o?1Plo?2Plo?1Plo?2XPf31`em<0Plo?1Plo?0`do?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hec@1X`^B0
        X_a=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1PZR
        C0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1P
        d^B0PTa=1Pd^B0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0`T^501P?`F350`
        F:50PN!
        Europe/Gibraltar =
        2`7P?0MhUiX<1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0
        Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Pbc@11`7P?350P?:50`F!
        Europe/Helsinki Europe/Mariehamn =
        2P?`F0OPZiX;1Plo?0Plo?1Plo?0hoo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0
        Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Pbc@11P?`F350`F:50
        PN!
        Europe/Kaliningrad =
        3P?`FPN1m1h\QY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Pl
        o?1hkoO0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Pbc@1Pd^B0PTa=1Pd^B0
        PTa=1Pd^B0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1PZRC0P^m<1PZR
        C0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1X^Qc300!
        Europe/Kiev Europe/Kyiv Europe/Uzhgorod Europe/Zaporozhye =
        3P?`FPN1Oh\QY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo
        ?1Plo?2Plo?1Plo?2X`c81`moW10Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Pbc@1hbh311P?`F350`F
        :50PN!
        Europe/Kirov =
        3`FPN`U11k1PYQY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2P
        lo?1hkoO0Plo?1Pbc@0Plo?1Pdo_10Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Pbc@1Pd^B0PTa=1Pd^B0PTa=1Pd^
        B0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0P^m<1P
        ZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1X^Qc300!
        Europe/Lisbon Portugal WET =
        30`7P?1W1PhVh60Plo?1Plo?0hec@1Plo?0Plo?1Plo?0Pbc@1PV\?0Xho?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo
        ?1Pbc@0Plo?1Plo?0hoo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1PhoO2P
        lo?1Plo?2Plo?1Plo?2Plo?1Pbc@110`7350`7:50P?!
        Europe/Madrid =
        2`7P?0]1``^Y41hY\?0X^c@1hY\?0XR\?1hoo?0X^c@1hY\?0`ic@1Plo?0Plo?1Plo?0Pbc@1PV\?0Plo?1Plo?
        0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pb
        c@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Pbc@11`7P?350P?:50`F!
        Europe/Malta =
        2`7P?0e1XhU=1Pf^:0P\mD1P\R;0PRaE1P\R;0PRm?1Plo?0PhmA1PXP=0`goB1XPa=0hg^B1XPa=0hg^B1XPa=0
        hg^B1XPa=0hg^B1XPa=0hUZA1XXY?0hec@1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo
        ?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1P
        lo?0Pbc@11`7P?350P?:50`F!
        Europe/Minsk =
        3P?`FPN1j1h\QY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Pl
        o?1Plo?2Plo?1hYcP20Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Pbc@1Pd^B0PTa=1Pd^B0PTa=1Pd^B
        0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0P^m<1PZ
        RC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<10!
        Europe/Monaco Europe/Paris =
        2`7P?0Y1PlVX61Xho?0`ic@1PV\?0Pbc@1Plo?0Plo?1Plo?0Pbc@1PV\?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?
        0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Pl
        o?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Pbc@11`7P?350P?:50`F!
        Europe/Moscow W-SU =
        3P?`FPN1n1h\QY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Pl
        o?1Plo?2Plo?1Plo?2Pbc@1hkoO0PPk91XhT62Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Pbc@2Pd^B1PTa=2
        Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m
        <2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2X^Qc310!
        Europe/Riga =
        3P?`FPN1V1h\QY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Pl
        o?1hkoO0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Pbc@1Plo?0hoo?1Pd^B0
        PTa=1Pd^B0PTa=1PZRC0hVfU101P?`F350`F:50PN!
        Europe/Rome Europe/San_Marino Europe/Vatican =
        2`7P?0e1XhU=1Pf^:0P\mD1P\R;0PRaE1P\R;0PRaE1Pf^:0P\mD1P\R;0PRaE1Pf^:0PRaE1Pf^:0P\mD1P\R;0
        PRaE1P\R;0P\mD1P\R;0`ic@1PV\?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo
        ?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1P
        lo?0Pbc@11`7P?350P?:50`F!
        Europe/Samara =
        3`FPN`U11j1PYQY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2P
        lo?1hkoO0Plo?1Pbc@0hmjQ11`bT>2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Pbc@2Pd^B1PTa=2Pd^B1PTa
        =2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m<2PZRC1P
        ^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1hacP10P^m<10!
        Europe/Saratov =
        3`FPN`U11l1PYQY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1hkoO0P
        lo?1Plo?0Plo?1Pbc@0Plo?1Pdo_10Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Pbc@1Pd^B0PTa=1Pd^B0PTa=1Pd^
        B0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0P^m<1P
        ZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1X^Qc30hgeS210!
        Europe/Simferopol =
        3P?`FPN1Q2h\QY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Pl
        o?1Plo?2Plo?1P`cH0heog11Plo?0Plo?1Plo?0Plo?1hRR32`em<1Plo?2Plo?1`Zc@2Xo^B1hkoO0PTa=1Pd^B
        0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0P^m<1PZ
        RC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0XPa=2`\^B10!
        Europe/Sofia =
        2P?`F0U1h^iX91hiR@0Xd`@1hS_?0Xd`@1`]\?0`Zc@1Xa\?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?
        0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0`do?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xh
        o?0hec@1X`^B0hgi501P?`F350`F:50PN!
        Europe/Tallinn =
        3P?`FPN1V1h\QY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Pl
        o?1hkoO0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Pbc@1Pd^B0PTa=1Pd^B0
        PTa=1hg^B0PTa=1PZRC0h\UZ201P?`F350`F:50PN!
        Europe/Tirane =
        2`7P?0]1XlV[41XbX=0haaB1XPa=0hUgB1XPa=0h]RC1XZm<0hcoB1XTP=0hcoB1XTP=0hcoB1XPa=0hkmA1XPa=
        0h]RC1XPa=0hUZA1Xhb>0hiR@1`SP@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pb
        c@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Pbc@11`7P?350P?:50`F!
        Europe/Ulyanovsk =
        4P?`FPN`U12n1PYQY;3XbR@2hoo?3XbR@2hoo?3XbR@2hiR@3`SP@2Plo?3Plo?2Plo?3Plo?2Plo?3Plo?2Plo?
        3Plo?2hkoO1Plo?2Pbc@1hkoO0PPk91XhT62Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Pbc@2Pd^B1PTa=2Pd
        ^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2PZRC1P^m<2
        PZRC1P^m<2PZRC1PTa=2Pd^B1PTa=2Pd^B1PTa=2PZRC1P^m<2X^Qc31ho`]120!
        Europe/Vienna =
        2`7P?0Q1XT]Y:1XR\?0XWP@1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?
        0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Pbc@11`
        7P?350P?:50`F!
        Europe/Vilnius =
        4`7P?`FPN2T1h\QY;3XbR@2hoo?3XbR@2hoo?3XbR@2hiR@3`SP@2Plo?3Plo?2Plo?3Plo?2Plo?3Plo?2Plo?3
        Plo?2hkoO1Plo?2Pbc@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1Pbc@2Pd^B1PTa=2Pd^
        B1hkoO0PTa=1hjjh311P?`F350`F:50PN!
        Europe/Volgograd =
        3`FPN`U11m1PYQY;2XbR@1hoo?2XbR@1hoo?2XbR@1hiR@2`SP@1Plo?2Plo?1Plo?2Plo?1Plo?2Plo?1hkoO0P
        lo?1Plo?0Plo?1Pbc@0Plo?1Pdo_10Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Pbc@1Pd^B0PTa=1Pd^B0PTa=1Pd^
        B0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1PZRC0P^m<1PZRC0P^m<1P
        ZRC0PTa=1Pd^B0PTa=1Pd^B0PTa=1PZRC0P^m<1X^Qc30hibP41Xb`U200!
        Europe/Warsaw Poland =
        2`7P?0W1PZjX71PV\?0Pbc@1Plo?0Plo?1Plo?0Pbc@1PV\?0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0Plo?1Pbc@
        0Plo?1Plo?0Plo?1Plo?0Plo?1Plo?0hoo?1Plo?0Plo?1Plo?0Plo?1Pbc@0Plo?1Plo?0Plo?1Plo?0Plo?1Pl
        o?0Plo?1Plo?0Plo?1Plo?0Pbc@11`7P?350P?:50`F!
        Indian/Chagos =
        2`U1P]101XmbRJ10!
        Indian/Mauritius =
        2PN`U104Pkoi<1X`W>0XQleI1XPa=00!
        Kwajalein Pacific/Kwajalein =
        2oi2Pj201PgifG10!
        NZ-CHAT Pacific/Chatham =
        2do2TW30S2``Xk41PPk90PRaE1PRf;0P\mD1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1PR
        f;0P\mD1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1P\R;0P\mD1PRf;0P\mD1P\R;0PZRC1PjT>0PnjA1
        PjT>0PnjA1PjT>0PnjA1P`h>0PXWA1P`h>0PXWA1P`h>0PXWA1P`h>0PnjA1PjT>0PnjA1PjT>0PnjA1P`h>0PXW
        A1P`h>0PXWA1P`h>0PnjA1PjT>0PnjA1PjT>0PnjA1P`h>0PXWA1P`h>0PXWA1P`h>0PXWA1P`h>0PXWA11do2TW
        3950dD410TL!
        Pacific/Apia =
        4_b2oZ2`Q3PY30GXeekX11XSa@0PV\?1P[`83PWS82Plo?3Pbc@2PV\?3Pbc@2PV\?3Pbc@2PV\?3Pbc@2PV\?3P
        bc@2PV\?3Pbc@2Plo?3Pbc@2PV\?3Pbc@2PV\?3Pbc@20!
        Pacific/Bougainville =
        2P[2`b201PRVT]110!
        Pacific/Efate =
        2`b2Pj20FP[bo31Pdc80h]a`91Xho?0hoo?1Xho?0hec@1XR\?0hec@1Xho?0hoo?1Xho?0hoo?1Xho?0hoo?1Xh
        o?0hoo?1Xho?0hec@1Xb^:0hmoG1Xjo700!
        Pacific/Enderbury Pacific/Kanton =
        3oi2_b2`Q302Pmmh91X`aY?20!
        Pacific/Fakaofo =
        2_b2`Q301X]STZ110!
        Pacific/Fiji =
        2Pj2`Q30L`XamL1Pf^:0PhTF1PPk90PnTi91Pf^:0Pd^B1PRf;0PfYD1Pno70PjoG1Pno70P`cH1XT\70hYWI1Pb
        h60PVWI1Pbh60PljI1PlT60PljI1PlT60PljI1PlT60Pb^J1PVa50PfTN1Ph^200!
        Pacific/Galapagos =
        2o\1_U113hjdQ@0hQhm61XnQ600!
        Pacific/Guam Pacific/Saipan =
        2P[2`b20:P`R:1Xne;0hiYD1Xne;0hmVY21XhT60hoWX21Z\g70fUaE1XXR;00!
        Pacific/Kiritimati =
        3o_2oZ2PY302Phmh91`aaY?20!
        Pacific/Kosrae =
        2`b2Pj211PclRM00!
        Pacific/Marquesas =
        1WW2000!
        Pacific/Nauru =
        2Xf2Pj201\R\T910!
        Pacific/Norfolk =
        3`b2Xf2hm214\ldj42P\R;1PTRgX10\fQh301`b2Pj2:10P?410`F!
        Pacific/Noumea =
        2`b2Pj206hRZn71Xn^70hi`H1Xha70XQUjA1Pno700!
        Pacific/Pitcairn =
        2go1ok101leR]L10!
        Pacific/Rarotonga =
        3g^2oZ2WW20J\Yal82Xlj91l]mD2TZR;1l]mD2TZR;1l]mD2TPf;1l]mD2TZR;1l]mD2TZR;1l]mD2TZR;1l]mD2
        TZR;1l]mD2TZR;1l]mD2TPf;1l]mD2TZR;1l]mD2TZR;1l]mD2TZR;10!
        Pacific/Tongatapu =
        2`Q3PY308h\]kM1PX]>0PfYD1XT\70hccH1XT\70hU[j>1PlT600!
        """#
}
